import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AgentError, ConfigError, InfrastructureError, TimeoutError } from '../../errors.ts'
import { activate } from '../../scope/activation.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Until } from '../../scripts/protocol/ask.ts'
import { ToolError } from '../../tools/tool.ts'
import { askSeveral } from './several.ts'

interface Request {
  name: string
  after?: number
  error?: unknown
}

function ask(requests: Request[], until: Until, scope: Scope, scopes: Scope[] = []) {
  return askSeveral(requests, until, scope, {
    label: ({ name }) => ({ name }),
    async ask({ name, after = 0, error }, index, own) {
      scopes.push(own)
      await pause(after, undefined, { signal: own.signal })
      if (error !== undefined) throw error
      return { content: `${name} ${index}` }
    },
  })
}

const scopes: [string, () => Scope][] = [
  ['a script', () => createPlainScope({ activation: activate('TestIt', undefined) })],
  ['nobody in particular', () => createPlainScope()],
]

describe.each(scopes)('several, asked by %s', (_, scope) => {
  it('all answer in the order they were asked', async () => {
    expect(await ask([{ name: 'slow', after: 20 }, { name: 'fast' }], 'all', scope())).toEqual([
      { name: 'slow', content: 'slow 0' },
      { name: 'fast', content: 'fast 1' },
    ])
  })

  it.each(['all', 'any', 'race'] as const)(
    'are answered at once where there are none (%s)',
    async (until) => {
      expect(await ask([], until, scope())).toEqual([])
    },
  )

  it.each<[string, unknown]>([
    ['an agent', new AgentError('down')],
    ['a tool', new ToolError('down')],
    ['the infrastructure', new InfrastructureError('http', 'down')],
  ])('have the failure of %s as data', async (_, error) => {
    expect(await ask([{ name: 'bad', error }, { name: 'good' }], 'all', scope())).toEqual([
      { name: 'bad', error: 'down' },
      { name: 'good', content: 'good 1' },
    ])
  })

  it.each<[string, unknown]>([
    ['a mistake', new ConfigError({ code: 'x', message: 'no such agent' })],
    ['too many calls', new InfrastructureError('too_deep', 'no such agent')],
    ['a timeout', new TimeoutError('no such agent')],
    ['a bug', new TypeError('no such agent')],
    ['no error at all', 'no such agent'],
  ])('fail together for %s', async (_, error) => {
    for (const until of ['all', 'any', 'race'] as const)
      await expect(
        ask(
          [
            { name: 'bad', error },
            { name: 'good', after: 20 },
          ],
          until,
          scope(),
        ),
      ).rejects.toEqual(error)
  })

  it('any: end with the first that answers well, with those that had failed before', async () => {
    const error = new InfrastructureError('http', 'down')
    const answers = await ask(
      [
        { name: 'slow', after: 500 },
        { name: 'bad', error },
        { name: 'good', after: 10 },
      ],
      'any',
      scope(),
    )
    expect(answers).toEqual([
      { name: 'bad', error: 'down' },
      { name: 'good', content: 'good 2' },
    ])
  })

  it('any: have only failures where none answers well', async () => {
    const error = new InfrastructureError('http', 'down')
    const answers = await ask(
      [
        { name: 'a', error, after: 10 },
        { name: 'b', error },
      ],
      'any',
      scope(),
    )
    expect(answers).toEqual([
      { name: 'b', error: 'down' },
      { name: 'a', error: 'down' },
    ])
  })

  it('race: end with the first, well or not', async () => {
    const error = new AgentError('down')
    expect(
      await ask(
        [
          { name: 'good', after: 100 },
          { name: 'bad', error },
        ],
        'race',
        scope(),
      ),
    ).toEqual([{ name: 'bad', error: 'down' }])
    expect(await ask([{ name: 'slow', after: 100 }, { name: 'fast' }], 'race', scope())).toEqual([
      { name: 'fast', content: 'fast 1' },
    ])
  })
})

describe('those that are not waited for', () => {
  const asking = () => createPlainScope({ activation: activate('TestIt', undefined) })

  it.each(['any', 'race'] as const)('are stopped (%s)', async (until) => {
    const own: Scope[] = []
    await ask([{ name: 'slow', after: 60_000 }, { name: 'fast' }], until, asking(), own)
    expect(own.map(({ signal }) => signal.aborted)).toEqual([true, true])
    expect(own[0]?.signal.reason).toMatchObject({ message: 'another one was first' })
  })

  it('are stopped when one of them is a mistake', async () => {
    const own: Scope[] = []
    const error = new ConfigError({ code: 'x', message: 'no' })
    await expect(
      ask(
        [
          { name: 'slow', after: 60_000 },
          { name: 'bad', error },
        ],
        'all',
        asking(),
        own,
      ),
    ).rejects.toBe(error)
    expect(own[0]?.signal.aborted).toBe(true)
  })

  it('do not stop the one who asked', async () => {
    const scope = asking()
    await ask([{ name: 'a' }, { name: 'b', after: 60_000 }], 'race', scope)
    expect(scope.signal.aborted).toBe(false)
  })
})

it('all are stopped with the one who asks', async () => {
  const controller = new AbortController()
  const scope = createPlainScope({ signal: controller.signal, activation: activate('TestIt', undefined) })
  const answers = ask([{ name: 'slow', after: 60_000 }], 'all', scope)
  controller.abort(new Error('enough'))
  await expect(answers).rejects.toThrow(/abort/i)
})
