import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import {
  closeHosts,
  failure,
  isRunning,
  never,
  script,
  startHost,
  until,
} from '../../test/fixtures/scripts/hosts.ts'
import { writeProject } from '../../test/fixtures/scripts/project.ts'
import { project } from '../../test/support/viva.ts'
import { ScriptCrash } from './runner/script-error.ts'
import type { ScriptCall } from './runner/script-host.ts'

afterEach(closeHosts)

describe('aborting', () => {
  it('stops an endless loop while another call continues', async () => {
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

  it('leaves the process to the other calls, even long after the loop was ended', async () => {
    const { call, logs } = await script(`
      import { setTimeout } from 'node:timers/promises'
      export const loop = () => { console.log('looping'); while (true) {} }
      export const rest = async () => { await setTimeout(3000); return process.pid }
      export const here = () => process.pid`)
    const process = await call('here')
    const controller = new AbortController()
    const loop = failure(call('loop', [], controller.signal))
    await until(() => logs.length > 0)
    const rest = call('rest')
    controller.abort(new Error('enough'))
    await loop
    expect(await rest).toBe(process)
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

  it('reaches ctx.signal with its reason, and keeps the worker if the agent stops', async () => {
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

describe('a script that breaks its worker', () => {
  it('with process.exit is a crash, whatever the exit code, and the host continues', async () => {
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

  it('with an error that nobody awaits fails the call it happens in', async () => {
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

  it('after its call ended is replaced; the error belongs to its call, not to a later one', async () => {
    const { call, logs, lateErrors } = await script(
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
      expect(lateErrors.pop()).toEqual([name, expect.stringMatching(/^Error: left behind\n.*script\.ts:\d+/)])
      expect(logs).toEqual([])
      expect(await call('thread')).not.toBe(first)
    }
    expect(await call('pid')).toBe(pid)
  })

  it('while nothing runs is replaced', async () => {
    const { call, lateErrors } = await script(`
      import { threadId } from 'node:worker_threads'
      export const leave = () => { setTimeout(() => { throw new Error('left behind') }, 10); return threadId }
      export const exit = () => { setTimeout(() => process.exit(1), 10); return threadId }
      export const thread = () => threadId`)
    const first = await call('leave')
    await until(async () => (await call('thread')) !== first)
    expect(lateErrors).toEqual([['leave', expect.stringContaining('left behind')]])
    const second = await call('exit')
    // A call that meets the exit fails; the next one has another worker.
    await until(async () => (await call('thread').catch(() => second)) !== second)
  })

  it('by replacing built-ins is not used again, unless the module brought them', async () => {
    const { call } = await script(`
      import { threadId } from 'node:worker_threads'
      const { includes } = Array.prototype
      Array.prototype.includes = function (...args) { return includes.apply(this, args) }
      export const thread = async () => threadId
      export const spoil = async () => { Promise.prototype.then = null; return threadId }
      export const replace = async () => { Promise.prototype.then = () => {}; return threadId }`)
    const first = await call('thread')
    expect(await call('thread')).toBe(first)
    expect(await call('spoil')).toBe(first)
    const second = await call('thread')
    expect(second).not.toBe(first)
    expect(await call('replace')).toBe(second)
    expect(await call('thread')).not.toBe(second)
  })

  it('by replacing built-ins after its end is not used again, even if the next call loads a module', async () => {
    const replaced = join(project(), 'replaced')
    const { call, host } = await script(`
      import { writeFileSync } from 'node:fs'
      import { threadId } from 'node:worker_threads'
      export const thread = () => threadId
      export const spoil = () => {
        setTimeout(() => {
          Array.prototype.includes = () => false
          writeFileSync(${JSON.stringify(replaced)}, '')
        }, 50)
        return threadId
      }`)
    const first = await call('spoil')
    await until(() => existsSync(replaced))
    const other = await script(
      `import { threadId } from 'node:worker_threads'
      export const thread = () => threadId`,
      host,
    )
    expect(await other.call('thread')).toBe(first)
    expect(await call('thread')).not.toBe(first)
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
    // V8 ends the worker, or sometimes the whole process.
    expect(error).toMatchObject({ message: expect.stringMatching(/out of memory/) })
    expect(await call('one')).toBe(1)
  })
})

describe('the host process', () => {
  it('that is killed ends its calls, and the next call has a fresh process', async () => {
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
    expect(error).toMatchObject({ message: 'the script host was killed by SIGKILL', ended: 'host' })
    expect(await call('pid')).not.toBe(pid)
    expect(await failure(call('suicide'))).toMatchObject({ message: 'the script host was killed by SIGKILL' })
    expect(await call('pid')).not.toBe(pid)
  })

  it('that stopped responding is killed when a call has to end, and the next call has a fresh process', async () => {
    const { call, logs } = await script(`
      export const pid = () => process.pid
      export const hang = () => { console.log('hanging'); return new Promise(() => setInterval(() => {}, 1000)) }
      export const stop = () => process.kill(process.pid, 'SIGSTOP')`)
    const pid = Number(await call('pid'))
    const other = failure(call('hang'))
    await until(() => logs.includes('hanging'))
    const controller = new AbortController()
    const stopped = failure(call('stop', [], controller.signal))
    const state = () => execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    await until(() => state().startsWith('T'))
    const reason = new Error('timeout after 1s')
    controller.abort(reason)
    expect(await stopped).toBe(reason)
    expect(await other).toMatchObject({
      message: 'the script host stopped responding and was killed',
      ended: 'host',
    })
    expect(isRunning(pid)).toBe(false)
    expect(await call('pid')).not.toBe(pid)
  })

  it('is gone after close, and so are the running and waiting calls', async () => {
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

  it('ends by itself when the runner is killed, even during an endless loop', async () => {
    const { file } = await script('export default () => { console.log("spinning"); while (true) {} }')
    const runner = fileURLToPath(new URL('../../test/fixtures/scripts/runner.mjs', import.meta.url))
    const host = fileURLToPath(new URL('../../dist/script-host.js', import.meta.url))
    const child = spawn(process.execPath, [runner, host, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    // The host has inherited this pipe, so it closes when both are gone.
    await once(child.stdout, 'close')
  })

  it('leaves Ctrl-C to the runner', async () => {
    const { call } = await script('export const pid = () => process.pid')
    const pid = Number(await call('pid'))
    // In its own process group, signals of the terminal to the runner's group do not reach it.
    const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' })
    expect(Number(group)).toBe(pid)
  })
})
