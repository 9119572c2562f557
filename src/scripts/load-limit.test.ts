import { afterEach, describe, expect, it } from 'vitest'
import { closeHosts, failure, never, script, startHost } from '../../test/fixtures/scripts/hosts.ts'
import { ScriptLoadError, ScriptStopped } from './runner/script-error.ts'

afterEach(closeHosts)

const overdue = 'it was not loaded within 2s: its top level loops, or waits for something that does not come'

describe('loading the code of a call', () => {
  it('is awaited by whoever keeps the time, once in each thread', async () => {
    const { host, file } = await script('export const name = () => "desk"')
    let waits = 0
    const wait = <T>(turn: Promise<T>) => {
      waits += 1
      return turn
    }
    const call = { kind: 'call' as const, file, export: 'name', args: [] }
    await host.call(call, { signal: never, wait })
    // The permit, the start of a thread, and the module.
    expect(waits).toBe(3)
    await host.call(call, { signal: never, wait })
    expect(waits).toBe(4)
  })

  it('does not count as time of the call that follows it', async () => {
    const { call } = await script(
      'export default () => new Promise((resolve) => setTimeout(resolve, 2500))',
      startHost({ loadLimitMs: 2000 }),
    )
    expect(await call('default')).toBeUndefined()
  })

  it.each([
    ['a loop', 'while (true) {}'],
    ['an endless wait', 'await new Promise(() => setInterval(() => {}, 9))'],
  ])('ends at its limit: %s', async (_, endless) => {
    const host = startHost({ loadLimitMs: 2000 })
    const { call, file } = await script(`${endless}\nexport default () => 1`, host)
    const error = await failure(call('default'))
    expect(error).toBeInstanceOf(ScriptLoadError)
    expect(error).toMatchObject({ message: `${file}: ${overdue}` })
    const { call: callOther } = await script('export default () => "still here"', host)
    expect(await callOther('default')).toBe('still here')
  })

  it.each([
    ['data', '{ get agents() { for (;;); } }'],
    ['cases', '() => new Promise(() => setInterval(() => {}, 9))'],
  ] as const)('ends at its limit while the code computes its %s', async (kind, exported) => {
    const host = startHost({ loadLimitMs: 2000 })
    const { file } = await script(`export default ${exported}`, host)
    const error = await failure(host.call({ kind, file }, { signal: never }))
    expect(error).toMatchObject({ message: `${file}: ${overdue}` })
  })

  it('reports where the code is, in a process that runs only this call', async () => {
    const host = startHost({ loadLimitMs: 2000, disposable: true, permits: 1 })
    const { call, file } = await script('export default () => 1\nwhile (true) {}', host)
    const error = (await failure(call('default'))) as ScriptStopped
    expect(error).toBeInstanceOf(ScriptStopped)
    expect(error).toMatchObject({ at: `${file}:2`, reason: expect.any(ScriptLoadError) })
  })
})
