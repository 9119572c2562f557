import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { askingScripts, closeAskingHosts, deferred } from '../../../test/fixtures/scripts/asking.ts'
import { failure, until } from '../../../test/fixtures/scripts/hosts.ts'
import type { ScriptRequest } from '../protocol/ask.ts'
import { ScriptCrash } from './script-error.ts'

afterAll(closeAskingHosts)

const onChunk = (ask: ScriptRequest) => ('onChunk' in ask && ask.onChunk) || { fn: -1 }

describe('a callback that is passed with a request', () => {
  it('runs in the blocked script, as often as it is called', async () => {
    const { run } = await askingScripts(
      `export const run = (ctx) => {
        const said = []
        ctx.agent.Call('echo', 'hi', { onChunk: (message) => { said.push(message) } })
        return said
      }`,
      {
        agents: async ({ ask, callBack }) => {
          for (const text of ['a', 'b']) await callBack(onChunk(ask), ['echo', 0, text])
          return [null]
        },
      },
    )
    expect(await run('run')).toEqual(['a', 'b'])
  })

  it('may make requests, and so may what it calls', async () => {
    const { run } = await askingScripts(
      `export const run = (ctx, depth) => {
        const said = []
        ctx.agent.Call('echo', String(depth), { onChunk: (message) => {
          said.push(Process('double', message))
          if (message > 1) said.push(run(ctx, message - 1))
        } })
        return said
      }`,
      {
        agents: async ({ ask, callBack }) => {
          const [request] = ask.kind === 'agents' ? ask.requests : []
          await callBack(onChunk(ask), ['echo', 0, Number(request?.messages)])
          return [null]
        },
        double: ({ args: [n] }) => Number(n) * 2,
      },
    )
    expect(await run('run', [3])).toEqual([6, [4, [2]]])
  })

  it('may still run when the answer to the outer request arrives', async () => {
    const innerAsked = deferred()
    const { run } = await askingScripts(
      `export const run = (ctx) => {
        const said = []
        const answer = ctx.agent.Call('echo', '', { onChunk: () => { said.push(Process('inner')) } })
        return [answer, said]
      }`,
      {
        agents: async ({ ask, callBack }) => {
          void callBack(onChunk(ask), ['echo', 0, null])
          await innerAsked.promise
          return ['outer']
        },
        inner: async () => {
          innerAsked.resolve()
          return pause(30, 'inner')
        },
      },
    )
    expect(await run('run')).toEqual(['outer', ['inner']])
  })

  it('may be called several times at once', async () => {
    const { run } = await askingScripts(
      `export const run = (ctx) => ctx.agent.Call('echo', '', { onChunk: (n) => { Process('wait', n) } })`,
      {
        agents: async ({ ask, callBack }) => {
          const done = await Promise.all([1, 2, 3].map((n) => callBack(onChunk(ask), ['echo', 0, n])))
          return [done.length]
        },
        wait: ({ args: [n] }) => pause(10 - Number(n) * 3),
      },
    )
    expect(await run('run')).toBe(3)
  })

  it.each([
    ['throws', `() => { throw new RangeError('enough') }`, 'RangeError: enough'],
    ['throws something that is not an error', `() => { throw { status: 1 } }`, 'Error: threw {"status":1}'],
    ['is async', `async () => { throw new Error('later') }`, 'an async function cannot answer here'],
    ['returns a thenable', `() => ({ then() {} })`, 'an async function cannot answer here'],
  ])('that %s is an error at once', async (_, code, message) => {
    const { run } = await askingScripts(
      `export const run = (ctx) => { try { ctx.agent.Call('echo', '', { onChunk: ${code} }) } catch (error) { return String(error) } }`,
      { agents: ({ ask, callBack }) => callBack(onChunk(ask), ['echo', 0, null]) },
    )
    expect(await run('run')).toContain(message)
  })

  it('is not called after its script has ended', async () => {
    const late = deferred<unknown>()
    const { run } = await askingScripts(
      `export const run = (ctx) => { ctx.agent.Call('echo', '', { onChunk: () => { console.log('called') } }); return 'ended' }`,
      {
        agents: ({ ask, callBack, scope }) => {
          scope.signal.addEventListener('abort', () => late.resolve(failure(callBack(onChunk(ask), []))))
          return [null]
        },
      },
    )
    expect(await run('run')).toBe('ended')
    expect(await late.promise).toMatchObject({ name: 'ScriptCrash', message: 'the script has ended' })
  })

  it('that ends its worker leaves nothing behind', async () => {
    const called = deferred<unknown>()
    const signals: AbortSignal[] = []
    const { run } = await askingScripts(
      `export const run = (ctx) => ctx.agent.Call('echo', '', { onChunk: () => process.exit(3) })
      export const fine = () => 'fine'`,
      {
        agents: ({ ask, callBack, scope }) => {
          signals.push(scope.signal)
          called.resolve(failure(callBack(onChunk(ask), [])))
          return new Promise(() => {})
        },
      },
      1,
    )
    const error = await failure(run('run'))
    expect(error).toBeInstanceOf(ScriptCrash)
    expect(error).toMatchObject({ message: 'process.exit(3) was called', ended: 'worker' })
    expect(await called.promise).toMatchObject({ message: 'the script has ended' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await run('fine')).toBe('fine')
  })
})

describe('a request after its call has ended', () => {
  const source = `
    export const leave = (ctx, name) => {
      setTimeout(() => {
        try { console.log(String(Process(name))) } catch (error) { globalThis.late = error.message }
      }, 5)
      return 'left'
    }
    export const wait = async () => {
      while (globalThis.late === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
      return globalThis.late
    }`

  it('is refused, and not made in the name of the next call', async () => {
    const { run, asked } = await askingScripts(source, { late: () => 'answered' }, 1)
    expect(await run('leave', ['late'])).toBe('left')
    expect(await run('wait')).toBe('the script that asks for this has ended')
    expect(asked).toEqual([])
  })

  it('is refused when nothing runs, too', async () => {
    const { run, asked } = await askingScripts(source, { late: () => 'answered' }, 1)
    await run('leave', ['late'])
    await pause(50)
    expect(await run('wait')).toBe('the script that asks for this has ended')
    expect(asked).toEqual([])
  })
})

describe('aborting a blocked script', () => {
  it('ends the script and its requests', async () => {
    const signals: AbortSignal[] = []
    const { run } = await askingScripts(
      `export const run = () => Process('never')
      export const stubborn = () => { for (;;) try { Process('never') } catch {} }
      export const fine = () => 'fine'`,
      {
        never: ({ scope }) => {
          signals.push(scope.signal)
          return new Promise(() => {})
        },
      },
      1,
    )
    for (const name of ['run', 'stubborn']) {
      const controller = new AbortController()
      const ended = failure(run(name, [], { signal: controller.signal }))
      await until(() => signals.length > 0)
      const reason = new Error('timeout after 1s')
      controller.abort(reason)
      expect(await ended).toBe(reason)
      // The only permit is free again.
      expect(await run('fine')).toBe('fine')
      expect(signals.splice(0).every(({ aborted }) => aborted)).toBe(true)
    }
  })

  it('gives the script the reason', async () => {
    const asked = deferred()
    const { run, logs } = await askingScripts(
      `export const run = () => { try { Process('never') } catch (error) { console.log(error.name, error.message); throw error } }`,
      {
        never: () => {
          asked.resolve()
          return new Promise(() => {})
        },
      },
    )
    const controller = new AbortController()
    const ended = failure(run('run', [], { signal: controller.signal }))
    await asked.promise
    controller.abort(Object.assign(new Error('timeout after 1s'), { name: 'TimeoutError' }))
    await ended
    await until(() => logs.length > 0)
    expect(logs).toEqual(['TimeoutError timeout after 1s'])
  })

  it('ends the scripts that it called', async () => {
    const signals: AbortSignal[] = []
    const { run, logs } = await askingScripts(
      `export const outer = () => Process('middle')
      export const middle = () => Process('inner')
      export const inner = () => { try { Process('never') } finally { console.log('inner ended') } }
      export const fine = () => 'fine'`,
      {
        middle: ({ run }) => run('middle'),
        inner: ({ run }) => run('inner'),
        never: ({ scope }) => {
          signals.push(scope.signal)
          return new Promise(() => {})
        },
      },
      1,
    )
    const controller = new AbortController()
    const ended = failure(run('outer', [], { signal: controller.signal }))
    await until(() => signals.length === 1)
    controller.abort(new Error('enough'))
    expect(await ended).toMatchObject({ message: 'enough' })
    await until(() => signals[0]?.aborted === true && logs.includes('inner ended'))
    expect(await run('fine')).toBe('fine')
  })
})
