import { describe, expect, it } from 'vitest'
import { AgentError, ConfigError, InfrastructureError, TimeoutError } from '../errors.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { Role } from '../results/usage.ts'
import { CaseScope } from './case-scope.ts'
import type { Context } from './context.ts'
import { createPlainScope } from './plain-scope.ts'
import { callFromLine } from './recording/line.ts'
import { MemoryTape } from './recording/tape.ts'
import type { Scope } from './scope.ts'
import { Stop } from './stop.ts'
import { type RecordedCall, type Tape, toTapeCall } from './tape.ts'
import { Targets } from './targets.ts'

const key = { file: 'c.jsonl', id: 'a', variant: 'v', run: 1, attempt: 1 }
const context: Context = createPlainScope().context

function open(tape: Tape, { retries = 2, timeoutMs = 10_000 } = {}) {
  const events: RunEvent[] = []
  const scope = CaseScope.open({
    key,
    context,
    timeoutMs,
    signal: new Stop(),
    retry: { retries, backoffMs: 1 },
    targets: new Targets(),
    tape,
    emit: (event) => void events.push(event),
  })
  return { scope, events }
}

const recorder = () => new MemoryTape({ keeps: 'all' }, (each) => each)

function player(kept: MemoryTape): MemoryTape {
  const calls = kept.kept().calls.map((json) => callFromLine(JSON.parse(json)))
  const rules = { live: [], missing: 'error' } as const
  return new MemoryTape({ recorded: { times: [], calls }, keeps: 'none', rules }, (each) => each)
}

const never = async (): Promise<never> => {
  throw new Error('it was asked')
}

/** Records an exchange, and replays it with nobody there. */
async function twice(role: Role, perform: () => Promise<unknown>, options = {}) {
  const tape = recorder()
  const first = open(tape, options)
  const asked = { target: 'x', request: 1, usage: () => ({ inputTokens: 2, outputTokens: 1, cost: 0.5 }) }
  const recorded = await first.scope
    .child(role)
    .exchange({ ...asked, perform })
    .catch((error: unknown) => error)
  const second = open(player(tape), options)
  const replayed = await second.scope
    .child(role)
    .exchange({ ...asked, perform: never })
    .catch((error: unknown) => error)
  first.scope.close()
  second.scope.close()
  return { recorded, replayed, first: first.scope, second }
}

describe('calls on tape', () => {
  it('an answer is given again with its usage, and reported like any other', async () => {
    const { replayed, second } = await twice('agent', async () => ({ said: 'hi' }))
    expect(replayed).toEqual({ said: 'hi' })
    expect(second.scope.usage.agent).toMatchObject({
      calls: 1,
      replayedCalls: 1,
      inputTokens: 2,
      replayedTokens: 3,
      cost: 0.5,
      replayedCost: 0.5,
    })
    expect(second.events).toMatchObject([{ type: 'exchange', target: 'x', response: { said: 'hi' } }])
  })

  it('failed attempts are taken again without waiting, with their log', async () => {
    let attempts = 0
    const perform = async () => {
      attempts += 1
      if (attempts < 3) throw new InfrastructureError('http', 'busy', { retryable: true, retryAfterMs: 200 })
      return 'late'
    }
    const { replayed, first, second } = await twice('agent', perform)
    expect(replayed).toBe('late')
    expect(second.scope.usage.agent).toMatchObject({ calls: 3, retries: 2, replayedCalls: 3 })
    expect(second.scope.logs).toEqual(first.logs)
    expect(second.scope.aheadMs).toBeLessThan(200)
  })

  it.each([
    ['the agent', new AgentError('broken'), 'broken'],
    ['the infrastructure', new InfrastructureError('quota', 'no more'), 'no more'],
    ['anything else', new TypeError('what'), 'what'],
    ['the configuration', new ConfigError({ code: 'x', message: 'wrong' }), 'wrong'],
  ])('an error of %s stays one', async (_, error, message) => {
    const { replayed } = await twice('agent', async () => {
      throw error
    })
    expect(replayed).toBeInstanceOf(Error)
    expect((replayed as Error).name).toBe(error.name)
    expect((replayed as Error).constructor).toBe(error instanceof TypeError ? Error : error.constructor)
    expect((replayed as Error).message).toBe(message)
  })

  it('a timeout ends everything in its scope again', async () => {
    const { recorded, replayed, second } = await twice('agent', () => new Promise(() => {}), {
      timeoutMs: 50,
    })
    expect(recorded).toBeInstanceOf(TimeoutError)
    expect(replayed).toBeInstanceOf(TimeoutError)
    expect(second.scope.stop.aborted).toBe(true)
  })

  it('the clock runs ahead by what a call took, and once for calls that overlapped', async () => {
    const calls: RecordedCall[] = [
      { layer: 'tools', target: 'x', request: 1, startedMs: 0, durationMs: 100 },
      { layer: 'tools', target: 'x', request: 2, startedMs: 50, durationMs: 100 },
      { layer: 'tools', target: 'x', request: 3, startedMs: 400, durationMs: 10 },
    ]
    const kept = recorder()
    for (const call of calls) {
      const keep = kept.take(call)
      if (typeof keep === 'function') keep(call)
    }
    const { scope } = open(player(kept))
    const before = scope.clock()
    await Promise.all(
      [1, 2, 3].map((request) => scope.child('tool').exchange({ target: 'x', request, perform: never })),
    )
    expect(scope.aheadMs).toBe(160)
    expect(scope.clock() - before).toBeGreaterThanOrEqual(160)
    expect(scope.deadline - Date.now()).toBeGreaterThan(9_000)
    scope.close()
  })

  it('what a call changed besides its answer is changed again', async () => {
    const tape = recorder()
    const state = { session: 'none' }
    const exchange = {
      target: 'x',
      request: 1,
      effects: {
        begin: () => () => state.session,
        restore: (effects: unknown) => {
          state.session = String(effects)
        },
      },
    }
    const first = open(tape)
    const perform = async () => {
      state.session = 's-1'
    }
    await first.scope.exchange({ ...exchange, perform })
    state.session = 'none'
    const second = open(player(tape))
    await second.scope.exchange({ ...exchange, perform: never })
    expect(state.session).toBe('s-1')
    for (const { scope } of [first, second]) scope.close()
  })

  it('what the code of a call asks for is counted for this call, and not for another one that runs beside it', async () => {
    const tape = recorder()
    const first = open(tape)
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const ask = (scope: Scope, target: string, ms: number) =>
      scope.child('tool').exchange({
        target,
        request: 1,
        usage: () => ({ inputTokens: 2, cost: 0.5 }),
        perform: () => pause(ms),
        continues: `server of ${target}`,
      })
    const code = { request: 1, part: 'script' as const, counted: false }
    const perform = (target: string) => async (_: Stop, own: Scope) => {
      await Promise.all([ask(own, target, 10), ask(own, target, 20)])
    }
    const run = ({ scope }: typeof first, how: typeof perform) =>
      Promise.all(
        ['x', 'y'].map((target) =>
          scope.exchange({ ...code, target: `code ${target}`, perform: how(target) }),
        ),
      )
    await run(first, perform)
    const lines = tape.kept().calls.map((json) => JSON.parse(json))
    expect(lines.filter(({ target }) => target.startsWith('code'))).toMatchObject(
      ['x', 'y'].map((target) => ({
        inner: ['tools'],
        inner_usage: { tool: { calls: 2, inputTokens: 4, cost: 1 } },
        inner_continues: [`server of ${target}`],
      })),
    )
    const second = open(player(tape))
    await run(second, () => never)
    expect(second.scope.usage.tool).toMatchObject({ ...first.scope.usage.tool, replayedCalls: 4 })
    for (const { scope } of [first, second]) scope.close()
  })

  it('a model that a script asks is no code of the user', () => {
    const exchange = { target: 'x', request: 1, perform: never }
    expect(toTapeCall({ ...exchange, part: 'model' }, 'script')?.isCode).toBe(false)
    expect(toTapeCall({ ...exchange, part: 'script' }, 'judge')?.isCode).toBe(true)
  })

  it('a call that nobody waited for never answers, and ends with whoever waits no longer', async () => {
    const tape = recorder()
    const first = open(tape)
    const over = new AbortController()
    const activation = { name: 'x', mocks: new Map() }
    const lost = first.scope.within(activation, over.signal)
    const asked = lost.exchange({ target: 'x', request: 1, perform: () => new Promise(() => {}) })
    over.abort(new Error('another one was first'))
    await expect(asked).rejects.toThrow('another one was first')
    const second = open(player(tape))
    const again = new AbortController()
    const waiting = second.scope
      .within(activation, again.signal)
      .exchange({ target: 'x', request: 1, perform: never })
    expect(await Promise.race([waiting, Promise.resolve('nothing')])).toBe('nothing')
    again.abort(new Error('another one was first'))
    await expect(waiting).rejects.toThrow('another one was first')
    expect(second.scope.stop.aborted).toBe(false)
    for (const { scope } of [first, second]) scope.close()
  })

  it('services, reporters and stubs are not on tape', async () => {
    const { scope } = open(player(recorder()))
    const perform = async () => 'live'
    expect(await scope.child('service').exchange({ target: 'x', request: 1, perform })).toBe('live')
    expect(await scope.child('tool').exchange({ target: 'x', request: 1, perform, local: true })).toBe('live')
    scope.close()
  })
})
