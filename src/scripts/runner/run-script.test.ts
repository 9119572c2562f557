import { afterAll, describe, expect, it } from 'vitest'
import {
  type Answers,
  askingScripts,
  closeAskingHosts,
  deferred,
} from '../../../test/fixtures/scripts/asking.ts'
import { failure, until } from '../../../test/fixtures/scripts/hosts.ts'
import { writeProject } from '../../../test/fixtures/scripts/project.ts'
import type { Data } from '../../results/transcript/message.ts'
import { activate } from '../../scope/activation.ts'
import { emptyMemory } from '../../scope/context.ts'

afterAll(closeAskingHosts)

/** Processes that are functions of the same file. */
function ownFunctions(...names: string[]): Answers {
  return Object.fromEntries(
    names.map((name) => [name, ({ args, run }: Parameters<Answers[string]>[0]) => run(name, ...args)]),
  )
}

function freshContext(variables: Data = {}) {
  return { variables, memory: emptyMemory() }
}

describe('the shared state of a case', () => {
  it('is visible on both sides around every request', async () => {
    const seen: unknown[] = []
    const context = freshContext({ given: 1, gone: 1 })
    const { run } = await askingScripts(
      `export const run = (ctx) => {
        ctx.variables.mine = { list: [1] }
        delete ctx.variables.gone
        ctx.memory.user.Set('k', 'v')
        const before = structuredClone(ctx.variables)
        Process('look')
        ctx.variables.mine.list.push(2)
        return [before, { ...ctx.variables }, ctx.memory.user.Get('k'), ctx.memory.team.Get('t')]
      }`,
      {
        look: ({ scope: { context } }) => {
          seen.push(structuredClone([context.variables, context.memory.user]))
          context.variables.theirs = true
          delete context.variables.given
          Object.assign(context.memory.team ?? {}, { t: 1 })
        },
      },
    )
    expect(await run('run', [], { context })).toEqual([
      { given: 1, mine: { list: [1] } },
      { mine: { list: [1, 2] }, theirs: true },
      'v',
      1,
    ])
    expect(seen).toEqual([[{ given: 1, mine: { list: [1] } }, { k: 'v' }]])
    expect(context.variables).toEqual({ mine: { list: [1, 2] }, theirs: true })
  })

  it('is visible in callbacks', async () => {
    const context = freshContext()
    const { run } = await askingScripts(
      `export const run = (ctx) => {
        const seen = []
        ctx.agent.Call('x', '', { onChunk: () => { seen.push(ctx.variables.n); ctx.variables.n += 1 } })
        return seen
      }`,
      {
        agents: async ({ ask, callBack, scope }) => {
          const onChunk = ask.kind === 'agents' ? ask.onChunk : undefined
          if (onChunk === undefined) throw new Error('no function was given')
          for (const n of [10, 20]) {
            scope.context.variables.n = n
            await callBack(onChunk, [])
          }
          return [scope.context.variables.n]
        },
      },
    )
    expect(await run('run', [], { context })).toEqual([10, 20])
    expect(context.variables).toEqual({ n: 21 })
  })

  it('passes through scripts that call each other', async () => {
    const context = freshContext({ path: [] })
    const { run } = await askingScripts(
      `export const outer = (ctx) => { ctx.variables.path.push('outer'); Process('inner'); return ctx.variables.path }
      export const inner = (ctx) => { ctx.variables.path.push('inner'); ctx.variables.by = 'inner' }`,
      ownFunctions('inner'),
    )
    expect(await run('outer', [], { context })).toEqual(['outer', 'inner'])
    expect(context.variables).toEqual({ path: ['outer', 'inner'], by: 'inner' })
  })

  it('keeps what several scripts set at once', async () => {
    const context = freshContext()
    const { run } = await askingScripts(
      `export const run = async (ctx, n) => { ctx.variables['k' + n] = n; await new Promise((resolve) => setTimeout(resolve, 5)) }`,
      {},
    )
    await Promise.all([1, 2, 3, 4].map((n) => run('run', [n], { context })))
    expect(context.variables).toEqual({ k1: 1, k2: 2, k3: 3, k4: 4 })
  })

  it('is kept when a script fails', async () => {
    const context = freshContext()
    const { run } = await askingScripts(
      `export const run = (ctx) => { ctx.variables.a = 1; throw new Error('no') }`,
      {},
    )
    expect(await failure(run('run', [], { context }))).toMatchObject({ message: 'no' })
    expect(context.variables).toEqual({ a: 1 })
  })

  it('is JSON: other values are refused when they would be sent', async () => {
    const context = freshContext()
    const { run, asked } = await askingScripts(
      `export const ask = (ctx) => {
        ctx.variables.fn = () => 1
        try { Process('x') } catch (error) { delete ctx.variables.fn; return [error.message, Process('x')] }
      }
      export const end = (ctx) => { ctx.variables.big = 1n }`,
      { x: () => 'answered' },
    )
    expect(await run('ask', [], { context })).toEqual([
      'variables.fn is a function: scripts can share only JSON data',
      'answered',
    ])
    expect(asked).toHaveLength(1)
    expect(await failure(run('end', [], { context }))).toMatchObject({
      name: 'ScriptThrew',
      message: 'variables.big is a BigInt: scripts can share only JSON data',
    })
    expect(context.variables).toEqual({})
  })

  it('that is not JSON on the runner’s side is an error, and the script does not hang', async () => {
    const context = freshContext()
    const { run } = await askingScripts(
      `export const run = () => { try { return Process('spoil') } catch (error) { return error.message } }`,
      {
        spoil: ({ scope }) => {
          scope.context.variables.big = 1n
          return 'answered'
        },
      },
    )
    expect(await run('run', [], { context })).toBe(
      'variables.big is a BigInt: scripts can share only JSON data',
    )
  })
})

describe('scripts that call each other', () => {
  const source = `
    export const down = (ctx, n) => n <= 1 ? 'bottom' : Process('down', n - 1)
    export const caught = (ctx) => { try { return Process('down', 9) } catch (error) { return [error.message, error.vivaInfrastructure] } }`

  it('may be nested eight deep', async () => {
    const { run } = await askingScripts(source, ownFunctions('down'))
    expect(await run('down', [8])).toBe('bottom')
  })

  it('may not be nested nine deep: the error shows the chain, and the script may catch it', async () => {
    const { run } = await askingScripts(source, ownFunctions('down'))
    const chain = (first: string) => [first, ...Array.from({ length: 8 }, () => 'down')].join(' → ')
    expect(await failure(run('down', [9]))).toMatchObject({
      name: 'InfrastructureError',
      kind: 'too_deep',
      message: `scripts call each other more than 8 levels deep: ${chain('down')}`,
    })
    expect(await run('caught')).toEqual([
      `scripts call each other more than 8 levels deep: ${chain('caught')}`,
      'too_deep',
    ])
  })

  it('count the callers of the first script', async () => {
    const { run } = await askingScripts(source, ownFunctions('down'))
    const activation = activate('TestIt', undefined)
    expect(await run('down', [7], { activation })).toBe('bottom')
    expect(await failure(run('down', [8], { activation }))).toMatchObject({ message: /TestIt → down/ })
  })

  it('never wait for each other, however few may run at once', async () => {
    const { run } = await askingScripts(
      `export const outer = (ctx, n) => Process('middle', n) + 1
      export const middle = (ctx, n) => Process('inner', n) + 1
      export const inner = (ctx, n) => n`,
      ownFunctions('middle', 'inner'),
      4,
    )
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    expect(await Promise.all(numbers.map((n) => run('outer', [n])))).toEqual(numbers.map((n) => n + 2))
  })

  it('begin in time though all that may run at once wait for others', async () => {
    const { run } = await askingScripts(source, ownFunctions('down'), 4, { atOnce: 1, stillMs: 20 })
    const chains = Array.from({ length: 4 }, () => run('down', [4]))
    expect(await Promise.all(chains)).toEqual(chains.map(() => 'bottom'))
  })
})

describe('a host that dies', () => {
  /** Kills its process on the first calls, counted in a file. */
  const source = `
    import { appendFileSync, readFileSync } from 'node:fs'
    export const run = (ctx, flag, times) => {
      appendFileSync(flag, 'x')
      Process('asked')
      if (readFileSync(flag, 'utf8').length <= times) process.kill(process.pid, 'SIGKILL')
      return 'alive'
    }
    export const innocent = () => Process('slow')`
  const flag = async () => (await writeProject({}))('flag')

  it('during a request is replaced, and the script is run once more', async () => {
    const slow = deferred()
    const signals: AbortSignal[] = []
    const { run, asked } = await askingScripts(
      source,
      {
        asked: () => true,
        slow: async ({ scope }) => {
          signals.push(scope.signal)
          if (signals.length === 1) await new Promise(() => {})
          await slow.promise
          return 'fine'
        },
      },
      4,
    )
    const innocent = run('innocent')
    await until(() => signals.length === 1)
    const killer = run('run', [await flag(), 1])
    await until(() => signals.length === 2)
    slow.resolve()
    expect([await innocent, await killer]).toEqual(['fine', 'alive'])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(asked).toHaveLength(4)
  })

  it('twice is the fault of the script', async () => {
    const { run } = await askingScripts(source, { asked: () => true }, 1)
    expect(await failure(run('run', [await flag(), 9]))).toMatchObject({
      name: 'ScriptCrash',
      ended: 'host',
      message: 'the script host was killed by SIGKILL',
    })
  })
})
