import { afterAll, describe, expect, it } from 'vitest'
import { askingScripts, closeAskingHosts } from '../../../test/fixtures/scripts/asking.ts'
import { emptyMemory } from '../../scope/context.ts'

afterAll(closeAskingHosts)

describe('the globals of scripts', () => {
  it('exist, and are not enumerable', async () => {
    const names = 'Process log time http Exception FS Store Query Job Plan Studio Eval $L'.split(' ')
    const { run } = await askingScripts(
      `export const run = (ctx, names) => [names.map((name) => typeof globalThis[name]), Object.keys(globalThis).filter((key) => names.includes(key)), $L('hallo')]`,
      {},
    )
    const kinds = names.map((name) => (['log', 'time', 'http'].includes(name) ? 'object' : 'function'))
    expect(await run('run', [names])).toEqual([kinds, [], 'hallo'])
  })

  it('log writes into the log of the case', async () => {
    const { run, logs } = await askingScripts(
      `export const run = () => { log.Info('%s: %d', 'items', 3); log.Warn('a\\nb'); try { log.Panic('no %s', 'way') } catch (error) { return error.message } }`,
      {},
    )
    expect(await run('run')).toBe('no way')
    expect(logs).toEqual(['log.info: items: 3', 'log.warn: a\nb', 'log.panic: no way'])
  })

  it('Exception keeps its code from one script to another', async () => {
    const { run } = await askingScripts(
      `export function outer() {
        try { Process('inner') } catch (error) {
          return [error instanceof Exception, error instanceof Error, error.code, error.message, error.name]
        }
      }
      export function inner() { throw new Exception('not found', 404) }`,
      { inner: ({ run }) => run('inner') },
    )
    expect(await run('outer')).toEqual([true, true, 404, 'not found', 'Exception|404'])
    await expect(run('inner')).rejects.toMatchObject({ message: 'not found', errorName: 'Exception|404' })
  })

  it('time.Sleep sleeps, and requests still work afterwards', async () => {
    const { run } = await askingScripts(
      `export function run() {
        const started = performance.now()
        time.Sleep(30)
        const slept = performance.now() - started >= 30
        return [slept, Process('echo', 1)]
      }`,
      { echo: ({ args: [value] }) => value },
    )
    expect(await run('run')).toEqual([true, 1])
  })

  it('time.Sleep ends when the case ends', async () => {
    const { run, logs } = await askingScripts(
      `export function sleep() {
        log.Info('sleeping')
        try { time.Sleep(3_600_000) } finally { log.Info('awake') }
      }
      export const next = () => 1`,
      {},
      1,
    )
    const controller = new AbortController()
    const log = (line: string) => {
      logs.push(line)
      if (line === 'log.info: sleeping') controller.abort(new Error('time is up'))
    }
    await expect(run('sleep', [], { signal: controller.signal, log })).rejects.toThrow('time is up')
    // When the next call runs, the first has ended by waking up, and its worker lives on.
    expect(await run('next')).toBe(1)
    expect(logs).toEqual(['log.info: sleeping', 'log.info: awake'])
  })

  it('FS and Store of one app are separate from those of others', async () => {
    const source = `
      const files = new FS('data')
      const store = new Store('cache')
      export function set(ctx, value) { files.WriteFile('a.txt', value); store.Set('a', value); return Process('get') }
      export const get = () => [files.Exists('a.txt') && files.ReadFile('a.txt'), store.Get('a')]`
    const answers = { get: ({ run }: { run(name: string): Promise<unknown> }) => run('get') }
    const [one, other] = [await askingScripts(source, answers), await askingScripts(source, answers)]
    const context = { memory: emptyMemory() }
    expect(await one.run('set', ['x'], { context })).toEqual(['x', 'x'])
    expect(context.memory.stores).toEqual({ '["cache","a"]': { value: 'x' } })
    expect(await other.run('get')).toEqual([false, null])
    // The next case finds the file, but not the contents of the store.
    expect(await one.run('get')).toEqual(['x', null])
    expect(await one.run('get', [], { context })).toEqual(['x', 'x'])
  })
})

describe('a global that a script replaces', () => {
  const look = `export const look = () => [typeof Process, typeof log.Info, http.Get === 1, typeof FS.prototype.fake, Exception.name, $L('x')]`
  const untouched = ['function', 'function', false, 'undefined', 'Exception', 'x']

  it('is restored when the script has ended, and the log says so', async () => {
    const { run, logs } = await askingScripts(
      `${look}
      export function bend() { globalThis.Process = 1; log.Info = 1; http.Get = 1; Exception = class Mine {}; globalThis.$L = () => 'bent'; return look() }`,
      {},
      1,
    )
    expect(await run('bend')).toEqual(['number', 'number', true, 'undefined', 'Mine', 'bent'])
    expect(logs.join()).toMatch(/it changed .*Process.*, which was restored/)
    expect(logs.join()).toContain('log.Info')
    expect(await run('look')).toEqual(untouched)
  })

  it('permanently is left behind with its worker', async () => {
    const { run } = await askingScripts(
      `${look}
      export function bend() { Object.defineProperty(globalThis, 'Process', { value: 1, writable: false, configurable: false }); return typeof Process }`,
      {},
      1,
    )
    expect(await run('bend')).toBe('number')
    expect(await run('look')).toEqual(untouched)
  })

  it('while it is loaded is restored, too', async () => {
    const { run, logs } = await askingScripts(
      `globalThis.Process = 1; log.Info = 1; delete globalThis.$L; http.Get = 1; Exception = class Mine {}
      export const bend = () => [typeof Process, typeof log.Info, typeof $L]
      ${look}`,
      {},
      1,
    )
    expect(await run('bend')).toEqual(['number', 'number', 'undefined'])
    expect(logs.join()).toMatch(/it changed .*, which was restored/)
    expect(await run('look')).toEqual(untouched)
  })
})
