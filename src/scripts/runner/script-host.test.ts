import { afterEach, describe, expect, it } from 'vitest'
import { closeHosts, failure, never, script, startHost, until } from '../../../test/fixtures/scripts/hosts.ts'
import { writeProject } from '../../../test/fixtures/scripts/project.ts'
import { ScriptLoadError, ScriptThrew } from './script-error.ts'

afterEach(closeHosts)

describe('a call', () => {
  it('returns what the function returns', async () => {
    const { call } = await script(`
      export const add = (a: number, b: number): number => a + b
      export async function later(): Promise<object> { return { when: new Date(0), list: [1, undefined] } }
      export const nothing = () => undefined
      export const nul = () => null`)
    expect(await call('add', [1, 2])).toBe(3)
    expect(await call('later')).toEqual({ when: '1970-01-01T00:00:00.000Z', list: [1, null] })
    expect(await call('nothing')).toBeUndefined()
    expect(await call('nul')).toBeNull()
  })

  it('throws what the user threw, with its name, code, cause and TypeScript lines', async () => {
    const { call, file } = await script(`
      interface Room { id: string }
      class BookingError extends Error { override name = 'BookingError'; code = 'FULL' }
      export function book(room: Room): never {
        throw new BookingError('no rooms left', { cause: new Error('sold out') })
      }`)
    const error = await failure(call('book', [{ id: '1' }]))
    expect(error).toBeInstanceOf(ScriptThrew)
    expect(error).toMatchObject({ message: 'no rooms left', errorName: 'BookingError', code: 'FULL' })
    expect((error as ScriptThrew).stack).toContain(`${file}:5:15`)
    expect((error as ScriptThrew).stack).not.toContain('script-worker')
    expect((error as ScriptThrew).cause).toMatchObject({ message: 'sold out' })
  })

  it('describes what was thrown when it is not an error', async () => {
    const { call } = await script(`
      export const text = () => { throw 'busy' }
      export const data = () => Promise.reject({ status: 503 })
      export const hostile = () => { throw { get message() { throw 1 } } }`)
    expect(await failure(call('text'))).toMatchObject({ name: 'ScriptThrew', message: 'threw busy' })
    expect(await failure(call('data'))).toMatchObject({ message: 'threw {"status":503}' })
    expect(await failure(call('hostile'))).toMatchObject({ message: 'an error that cannot be shown' })
  })

  it('loads a module once per worker', async () => {
    const { call } = await script('let count = 0; export const next = () => ++count')
    expect([await call('next'), await call('next'), await call('next')]).toEqual([1, 2, 3])
  })

  it('fails with a clear message when the result is not JSON', async () => {
    const { call } = await script(`
      export const big = () => ({ total: [1n] })
      export const cycle = () => { const room = { door: {} }; room.door = room; return { room } }
      export const code = () => ({ then: 1, run: () => 1 })
      export const map = () => new Map([[1, 2]])
      export const deep = () => { let value = {}; for (let i = 0; i < 100_000; i++) value = { value }; return value }
      export const huge = () => 'x'.repeat(65 * 1024 * 1024)
      export const fine = () => 'still here'`)
    expect(await failure(call('big'))).toMatchObject({
      name: 'ScriptThrew',
      message: expect.stringMatching(/^total\[0\] is a BigInt: /),
    })
    expect(await failure(call('cycle'))).toMatchObject({
      message: expect.stringMatching(/^room\.door contains itself/),
    })
    expect(await failure(call('code'))).toMatchObject({
      message: expect.stringMatching(/^run is a function/),
    })
    expect(await failure(call('map'))).toMatchObject({
      message: expect.stringMatching(/^the result is a Map/),
    })
    expect(await failure(call('deep'))).toMatchObject({
      message: expect.stringMatching(/is nested more than 500 levels/),
    })
    expect(await failure(call('huge'))).toMatchObject({ message: expect.stringMatching(/larger than 64 MB/) })
    expect(await call('fine')).toBe('still here')
  })

  it('carries large results and arguments', async () => {
    const { call } = await script('export const echo = (text: string) => text')
    const text = 'ü\n'.repeat(2_000_000)
    expect((await call('echo', [text])) === text).toBe(true)
  })

  it('refuses arguments that are not JSON before it starts anything', async () => {
    const { call } = await script('export const echo = (text: string) => text')
    expect(await failure(call('echo', [{ n: 1n }]))).toMatchObject({
      message: expect.stringMatching(/^args\[0\]\.n is a BigInt/),
    })
  })
})

describe('an agent', () => {
  const context = { sessionId: 's1', metadata: { plan: 'pro' } }

  async function agent(source: string) {
    const host = startHost()
    const file = (await writeProject({ 'agent.ts': source }))('agent.ts')
    return {
      ask: (name: string, input: unknown) =>
        host.call({ kind: 'agent', file, export: name, input, context }, { signal: never }),
      inspect: (name: string) => host.call({ kind: 'inspect', file, export: name }, { signal: never }),
    }
  }

  it('may be a function or an object with execute, and receives input and context', async () => {
    const { ask, inspect } = await agent(`
      export default async (input: string, ctx: any) => ({ input, plan: ctx.metadata.plan, live: !ctx.signal.aborted })
      export const desk = { name: 'desk', execute(input: string) { return this.name + ' ' + input } }`)
    expect(await ask('default', 'hello')).toEqual({ input: 'hello', plan: 'pro', live: true })
    expect(await ask('desk', 'hello')).toBe('desk hello')
    expect(await inspect('default')).toEqual({ callable: 'function', exports: ['default', 'desk'] })
    expect(await inspect('desk')).toEqual({
      callable: 'execute',
      exports: ['default', 'desk'],
      ignoresContext: true,
    })
  })

  it('cannot change its context', async () => {
    const { ask } = await agent(
      'export const spoil = (input: string, ctx: any) => { ctx.metadata.plan = "free" }',
    )
    expect(await failure(ask('spoil', ''))).toMatchObject({ name: 'ScriptThrew', errorName: 'TypeError' })
  })

  it('that is missing or cannot answer is reported with the existing exports', async () => {
    const { ask, inspect } = await agent('export const desk = 1; export class Agent { execute() {} }')
    expect(await failure(inspect('dest'))).toBeInstanceOf(ScriptLoadError)
    expect(await failure(inspect('dest'))).toMatchObject({
      message: expect.stringMatching(
        /agent\.ts: there is no export "dest" \(did you mean "desk"\?\); its exports are: Agent, desk$/,
      ),
    })
    expect(await failure(ask('default', ''))).toMatchObject({
      message: expect.stringMatching(/no default export/),
    })
    expect(await failure(inspect('desk'))).toMatchObject({
      message: expect.stringMatching(/"desk" is a number: an agent is a function/),
    })
    expect(await failure(inspect('Agent'))).toMatchObject({
      message: expect.stringMatching(/"Agent" is a class: export an instance/),
    })
  })
})

describe('printing', () => {
  it('goes to the call that prints, in whole lines', async () => {
    const { file, host } = await script(`
      export default async (name: string) => {
        for (let i = 0; i < 3; i++) {
          console.log('%s %d', name, i)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        console.error({ name, lines: 'two\\nlines' })
        process.stdout.write(name)
        process.stdout.write(' unfinished')
      }`)
    const print = async (name: string) => {
      const lines: string[] = []
      const options = { signal: never, onLog: (line: string) => lines.push(line) }
      await host.call({ kind: 'call', file, export: 'default', args: [name] }, options)
      return lines
    }
    const [first, second] = await Promise.all([print('a'), print('b')])
    expect(first).toEqual(['a 0', 'a 1', 'a 2', "{ name: 'a', lines: 'two\\nlines' }", 'a unfinished'])
    expect(second).toEqual(['b 0', 'b 1', 'b 2', "{ name: 'b', lines: 'two\\nlines' }", 'b unfinished'])
  })

  it('forged messages changes nothing', async () => {
    const { call, logs } = await script(`
      import { writeSync } from 'node:fs'
      import { parentPort, workerData } from 'node:worker_threads'
      const forged = { type: 'done', id: 1, outcome: { ok: true, json: '"forged"' }, spoiled: false }
      export default () => {
        console.log(JSON.stringify(forged))
        writeSync(1, JSON.stringify(forged) + '\\n')
        parentPort?.postMessage(forged)
        return { real: true, ports: Object.keys(workerData) }
      }`)
    expect(await call('default')).toEqual({ real: true, ports: [] })
    expect(logs).toContain(
      '{"type":"done","id":1,"outcome":{"ok":true,"json":"\\"forged\\""},"spoiled":false}',
    )
  })

  it('is not lost when the worker is terminated', async () => {
    const { call, logs } = await script('export default () => { console.log("before"); while (true) {} }')
    const controller = new AbortController()
    const error = failure(call('default', [], controller.signal))
    await until(() => logs.length > 0)
    controller.abort(new Error('enough'))
    expect(await error).toMatchObject({ message: 'enough' })
    expect(logs).toEqual(['before'])
  })

  it('without end is cut off', async () => {
    const { call, logs } = await script(
      'export default () => { for (let i = 0; i < 30_000; i++) console.log("x".repeat(99)) }',
    )
    await call('default')
    expect(logs.join('\n').length).toBeLessThan(1_100_000)
    expect(logs.at(-1)).toContain('[the rest of the output is left out]')
  })
})

describe('permits', () => {
  const source = `
    import { setTimeout } from 'node:timers/promises'
    import { threadId } from 'node:worker_threads'
    export default async (name: string) => {
      console.log('+' + name)
      await setTimeout(30)
      console.log('-' + name)
      return threadId
    }`

  it('limit how many calls run at once, in as many workers', async () => {
    const { call, logs } = await script(source, startHost({ permits: 2 }))
    const threads = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => call('default', [name])))
    expect(new Set(threads).size).toBe(2)
    expect(logs).toHaveLength(10)
    let running = 0
    for (const line of logs) {
      running += line.startsWith('+') ? 1 : -1
      expect(running).toBeLessThanOrEqual(2)
    }
  })

  it('let waiting calls in by their order', async () => {
    const { call, logs } = await script(source, startHost({ permits: 1 }))
    await Promise.all(['a', 'b', 'c'].map((name) => call('default', [name])))
    expect(logs).toEqual(['+a', '-a', '+b', '-b', '+c', '-c'])
  })

  it('are not held by a call that is aborted while it waits', async () => {
    const { call, logs } = await script(
      `export const hold = () => new Promise((resolve) => { console.log('holding'); setTimeout(resolve, 300, 'held') })
      export const log = (name: string) => console.log(name)`,
      startHost({ permits: 1 }),
    )
    const held = call('hold')
    const controller = new AbortController()
    const waiting = failure(call('log', ['never'], controller.signal))
    const behind = call('log', ['behind'])
    const reason = new Error('no longer wanted')
    controller.abort(reason)
    expect(await waiting).toBe(reason)
    expect(await held).toBe('held')
    await behind
    expect(logs).toEqual(['holding', 'behind'])
  })
})
