import { afterEach, expect, it } from 'vitest'
import type { AnyScriptRequest } from '../../protocol/ask.ts'
import { createMissing, createMissingServiceError, reportMissingTo } from './missing.ts'

afterEach(() => reportMissingTo({ ask: () => undefined }))

it.each(Object.entries(createMissing()))(
  '%s reports that it is missing when called or constructed',
  (name, missing) => {
    const message = `${name} is a service of the Yao engine, which viva does not have. Put that work into a process`
    expect(() => missing()).toThrow(message)
    expect(() => Reflect.construct(missing, ['default'])).toThrow(message)
  },
)

it('missing services are reported to the runner, whose refusal does not reach the script', () => {
  const asked: AnyScriptRequest[] = []
  reportMissingTo({
    ask(ask) {
      asked.push(ask)
      throw new Error('refused')
    },
  })
  const error = createMissingServiceError('FS.Zip: viva does not have it')
  expect(error).toMatchObject({ message: 'FS.Zip: viva does not have it', vivaInfrastructure: 'stub' })
  expect(asked).toEqual([{ kind: 'missing', message: 'FS.Zip: viva does not have it' }])
})
