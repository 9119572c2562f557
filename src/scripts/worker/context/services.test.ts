import { expect, it } from 'vitest'
import type { AnyScriptRequest } from '../../protocol/ask.ts'
import { NotJsonError } from '../../protocol/json.ts'
import { callService, createMissingServices } from './services.ts'

it('members of ctx that viva lacks are called as processes, which a mock may provide', () => {
  const asked: AnyScriptRequest[] = []
  const services = createMissingServices({
    ask(ask) {
      asked.push(ask)
      return 'answer'
    },
  }) as Record<string, Record<string, (...args: unknown[]) => unknown>> & { call(name: string): unknown }
  expect(services.sandbox?.Exec?.(['ls'])).toBe('answer')
  expect(services.workspace?.ReadFile?.('a.txt')).toBe('answer')
  expect(services.call('Save')).toBe('answer')
  expect(asked).toEqual([
    { kind: 'process', name: 'ctx.sandbox.Exec', args: [['ls']] },
    { kind: 'process', name: 'ctx.workspace.ReadFile', args: ['a.txt'] },
    { kind: 'process', name: 'ctx.call', args: ['Save'] },
  ])
  expect(Object.keys(services)).toEqual([
    'sandbox',
    'computer',
    'workspace',
    'space',
    'call',
    'callWithRequest',
    'setAuthorized',
    'reset',
  ])
})

it('a service that is called with arguments that are not JSON is reported as missing, too', () => {
  const bridge = {
    ask(): never {
      throw new NotJsonError('args[0] is a function: only JSON data can be passed on')
    },
  }
  expect(() => callService(bridge, 'ctx.search.Web', [() => 1])).toThrow(
    expect.objectContaining({
      vivaInfrastructure: 'stub',
      message:
        'ctx.search.Web is a service of the Yao engine, which viva does not have ' +
        '(args[0] is a function: only JSON data can be passed on)',
    }),
  )
})
