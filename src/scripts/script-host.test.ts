import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../test/fixtures/scripts/project.ts'
import { ScriptCrash, ScriptLoadError, ScriptThrew } from './script-error.ts'
import { createScriptHost, type ScriptCall, type ScriptHost } from './script-host.ts'

const hosts: ScriptHost[] = []

function startHost(options?: { permits?: number }): ScriptHost {
  const host = createScriptHost(options)
  hosts.push(host)
  return host
}

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})
afterAll(removeProjects)

const never = new AbortController().signal

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}

/** One module whose every export is a function, and a way to call it. */
async function script(source: string, host = startHost()) {
  const file = (await writeProject({ 'script.ts': source }))('script.ts')
  const logs: string[] = []
  const call = (name: string, args: unknown[] = [], signal = never) =>
    host.call({ kind: 'call', file, export: name, args }, { signal, onLog: (line) => logs.push(line) })
  return { file, logs, call, host }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('a call', () => {
  it('gives what the function returns', async () => {
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

  it('says what was thrown when it is not an error', async () => {
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

  it('may be a function or an object with execute, and is given input and context', async () => {
    const { ask, inspect } = await agent(`
      export default async (input: string, ctx: any) => ({ input, plan: ctx.metadata.plan, live: !ctx.signal.aborted })
      export const desk = { name: 'desk', execute(input: string) { return this.name + ' ' + input } }`)
    expect(await ask('default', 'hello')).toEqual({ input: 'hello', plan: 'pro', live: true })
    expect(await ask('desk', 'hello')).toBe('desk hello')
    expect(await inspect('default')).toEqual({ callable: 'function', exports: ['default', 'desk'] })
    expect(await inspect('desk')).toEqual({ callable: 'execute', exports: ['default', 'desk'] })
  })

  it('cannot change its context', async () => {
    const { ask } = await agent(
      'export const spoil = (input: string, ctx: any) => { ctx.metadata.plan = "free" }',
    )
    expect(await failure(ask('spoil', ''))).toMatchObject({ name: 'ScriptThrew', errorName: 'TypeError' })
  })

  it('that is not there or cannot answer is told with the exports there are', async () => {
    const { ask, inspect } = await agent('export const desk = 1; export class Agent { execute() {} }')
    expect(await failure(inspect('dest'))).toBeInstanceOf(ScriptLoadError)
    expect(await failure(inspect('dest'))).toMatchObject({
      message: expect.stringMatching(/agent\.ts: there is no export "dest"; its exports are: Agent, desk$/),
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

  it('of forged messages changes nothing', async () => {
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

describe('aborting', () => {
  it('stops an endless loop while another call goes on', async () => {
    const { call, logs } = await script(`
      export const spin = () => { console.log('spinning'); while (true) {} }
      export const slow = () => new Promise((resolve) => setTimeout(resolve, 1000, 'done'))
      export const pid = () => process.pid`)
    const pid = await call('pid')
    const controller = new AbortController()
    const slow = call('slow')
    const spin = failure(call('spin', [], controller.signal))
    await until(() => logs.includes('spinning'))
    const reason = new Error('timeout after 1s')
    controller.abort(reason)
    expect(await spin).toBe(reason)
    expect(await slow).toBe('done')
    expect(await call('pid')).toBe(pid)
  })

  it('really ends the loop: its permit is free again', async () => {
    const { call, logs } = await script(
      `export const spin = () => { console.log('spinning'); while (true) {} }
      export const one = () => 1`,
      startHost({ permits: 1 }),
    )
    const controller = new AbortController()
    const spin = failure(call('spin', [], controller.signal))
    await until(() => logs.includes('spinning'))
    controller.abort()
    await spin
    expect(await call('one')).toBe(1)
  })

  it('reaches ctx.signal with its reason, and leaves the worker in use if the agent stops', async () => {
    const host = startHost()
    const file = (
      await writeProject({
        'agent.ts': `
        import { threadId } from 'node:worker_threads'
        export default (input: string, { signal }: { signal: AbortSignal }) => {
          if (input !== 'wait') return threadId
          console.log(String(threadId))
          return new Promise((_, reject) => signal.addEventListener('abort', () => {
            console.log(String(signal.reason))
            reject(signal.reason)
          }))
        }`,
      })
    )('agent.ts')
    const ask = (input: string): ScriptCall => ({
      kind: 'agent',
      file,
      export: 'default',
      input,
      context: {},
    })
    const controller = new AbortController()
    const reason = Object.assign(new Error('timeout after 5s'), { name: 'TimeoutError' })
    const logs: string[] = []
    const onLog = (line: string) => {
      logs.push(line)
      controller.abort(reason)
    }
    expect(await failure(host.call(ask('wait'), { signal: controller.signal, onLog }))).toBe(reason)
    await until(() => logs.length === 2)
    expect(logs[1]).toBe('TimeoutError: timeout after 5s')
    await until(async () => String(await host.call(ask('who?'), { signal: never })) === logs[0])
  })

  it('before the call starts nothing', async () => {
    const { call } = await script('export const one = () => 1')
    const reason = new Error('too late')
    expect(await failure(call('one', [], AbortSignal.abort(reason)))).toBe(reason)
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

  it('bound how many calls run at once, in as many workers', async () => {
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

  it('let the others in as they came', async () => {
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

describe('a script that breaks its worker', () => {
  it('by process.exit is a crash, whatever the exit code, and the host goes on', async () => {
    const { call, logs } = await script(`
      export const exit = (code: number) => { console.log('leaving'); process.exit(code) }
      export const pid = () => process.pid`)
    const pid = await call('pid')
    const error = await failure(call('exit', [0]))
    expect(error).toBeInstanceOf(ScriptCrash)
    expect(error).toMatchObject({ message: 'process.exit(0) was called', ended: 'worker' })
    expect(await failure(call('exit', [3]))).toMatchObject({ message: 'process.exit(3) was called' })
    expect(logs).toEqual(['leaving', 'leaving'])
    expect(await call('pid')).toBe(pid)
  })

  it('by an error nobody awaits fails the call it happens in', async () => {
    const { call } = await script(`
      export const late = () => new Promise(() => setTimeout(() => { throw new RangeError('late throw') }, 10))
      export const rejection = () => new Promise(() => { void Promise.reject(new Error('forgotten')) })
      export const quick = () => { void Promise.reject(new Error('forgotten at once')); return 'ok' }
      export const pid = () => process.pid`)
    const pid = await call('pid')
    expect(await failure(call('late'))).toMatchObject({
      name: 'ScriptThrew',
      errorName: 'RangeError',
      message: 'late throw',
    })
    expect(await failure(call('rejection'))).toMatchObject({ name: 'ScriptThrew', message: 'forgotten' })
    expect(await failure(call('quick'))).toMatchObject({ name: 'ScriptThrew', message: 'forgotten at once' })
    expect(await call('pid')).toBe(pid)
  })

  it('after its call ended is given up, and a call that came later is not blamed', async () => {
    const { call, logs } = await script(
      `import { setTimeout } from 'node:timers/promises'
      import { threadId } from 'node:worker_threads'
      let waiting = false
      function onceSomeoneWaits(act: () => void): number {
        const timer = setInterval(() => {
          if (!waiting) return
          clearInterval(timer)
          waiting = false
          act()
        }, 5)
        return threadId
      }
      export const leave = () => onceSomeoneWaits(() => { throw new Error('left behind') })
      export const reject = () => onceSomeoneWaits(() => { void Promise.reject(new Error('left behind')) })
      export const wait = async () => {
        waiting = true
        while (waiting) await setTimeout(5)
        return threadId
      }
      export const pid = () => process.pid
      export const thread = () => threadId`,
      startHost({ permits: 1 }),
    )
    const pid = await call('pid')
    for (const name of ['leave', 'reject']) {
      const first = await call(name)
      expect(await call('wait')).toBe(first)
      expect(logs.pop()).toMatch(/^an earlier call left an error behind: Error: left behind/)
      expect(await call('thread')).not.toBe(first)
    }
    expect(await call('pid')).toBe(pid)
  })

  it('while nothing runs is replaced', async () => {
    const { call } = await script(`
      import { threadId } from 'node:worker_threads'
      export const leave = () => { setTimeout(() => { throw new Error('left behind') }, 10); return threadId }
      export const exit = () => { setTimeout(() => process.exit(1), 10); return threadId }
      export const thread = () => threadId`)
    const first = await call('leave')
    await until(async () => (await call('thread')) !== first)
    const second = await call('exit')
    // A call that meets the exit fails; the one after has another worker.
    await until(async () => (await call('thread').catch(() => second)) !== second)
  })

  it('by filling its memory is a crash, and the next call works', async () => {
    const { call } = await script(`
      export const fill = () => {
        const kept: unknown[] = []
        while (true) kept.push(new Array(10_000).fill(kept.length + 0.5))
      }
      export const one = () => 1`)
    const error = await failure(call('fill'))
    expect(error).toBeInstanceOf(ScriptCrash)
    // V8 ends the worker, or now and then the whole process.
    expect(error).toMatchObject({ message: expect.stringMatching(/out of memory/) })
    expect(await call('one')).toBe(1)
  })
})

describe('the host process', () => {
  it('that is killed takes its calls with it, and the next call has a fresh one', async () => {
    const { call, logs } = await script(`
      export const pid = () => process.pid
      export const hang = () => { console.log('hanging'); return new Promise(() => setInterval(() => {}, 1000)) }
      export const suicide = () => process.kill(process.pid, 'SIGKILL')`)
    const pid = Number(await call('pid'))
    const hanging = failure(call('hang'))
    await until(() => logs.includes('hanging'))
    process.kill(pid, 'SIGKILL')
    const error = await hanging
    expect(error).toBeInstanceOf(ScriptCrash)
    expect(error).toMatchObject({ message: 'the script host ended by SIGKILL', ended: 'host' })
    expect(await call('pid')).not.toBe(pid)
    expect(await failure(call('suicide'))).toMatchObject({ message: 'the script host ended by SIGKILL' })
    expect(await call('pid')).not.toBe(pid)
  })

  it('is gone after close, and so are the calls in flight and in the queue', async () => {
    const { call, host, logs } = await script(
      `export const pid = () => process.pid
      export const spin = () => { console.log('spinning'); while (true) {} }`,
      startHost({ permits: 1 }),
    )
    const pid = Number(await call('pid'))
    const spin = failure(call('spin'))
    const queued = failure(call('pid'))
    await until(() => logs.includes('spinning'))
    expect(isRunning(pid)).toBe(true)
    await host.close()
    expect(isRunning(pid)).toBe(false)
    expect(await spin).toMatchObject({ name: 'ScriptCrash', message: 'the script host was closed' })
    expect(await queued).toMatchObject({ name: 'ScriptCrash', message: 'the script host was closed' })
    expect(await failure(call('pid'))).toMatchObject({ message: 'the script host was closed' })
  })

  it('ends by itself when the runner is killed, even with an endless loop in it', async () => {
    const { file } = await script('export default () => { console.log("spinning"); while (true) {} }')
    const runner = fileURLToPath(new URL('../../test/fixtures/scripts/runner.mjs', import.meta.url))
    const host = fileURLToPath(new URL('../../dist/script-host.js', import.meta.url))
    const child = spawn(process.execPath, [runner, host, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    // The host has inherited this pipe, so it closes when both are gone.
    await once(child.stdout, 'close')
  })

  it('lets Ctrl-C be the business of the runner', async () => {
    const { call } = await script('export const pid = () => process.pid')
    const pid = Number(await call('pid'))
    process.kill(pid, 'SIGINT')
    expect(await call('pid')).toBe(pid)
  })
})
