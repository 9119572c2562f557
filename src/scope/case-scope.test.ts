import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AgentError, InfrastructureError, InterruptedError, TimeoutError } from '../errors.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { TokenUsage } from '../results/transcript/reply.ts'
import type { Role } from '../results/usage.ts'
import { CaseScope } from './case-scope.ts'
import { createPlainScope } from './plain-scope.ts'
import { Targets } from './targets.ts'

const key = { file: 'a.jsonl', id: 'a', variant: 'v', run: 1, attempt: 1 }

function open(options: { timeoutMs?: number; signal?: AbortSignal; retries?: number } = {}) {
  const events: RunEvent[] = []
  const scope = CaseScope.open({
    targets: new Targets(),
    key,
    context: createPlainScope().context,
    timeoutMs: options.timeoutMs ?? 10_000,
    signal: options.signal ?? new AbortController().signal,
    retry: { retries: options.retries ?? 3, backoffMs: 1 },
    emit: (event) => events.push(event),
  })
  onTestFinished(() => scope.close())
  return { scope, events }
}

const usage = (response: unknown) => (response as { usage?: TokenUsage }).usage

const passing = (times: number, answer: unknown = { usage: { inputTokens: 5, outputTokens: 2 } }) => {
  let calls = 0
  return async () => {
    calls += 1
    if (calls <= times) throw new InfrastructureError('http', 'overloaded', { retryable: true })
    return answer
  }
}

describe('an exchange', () => {
  it('is counted for its role, with its tokens, and emits an event', async () => {
    const { scope, events } = open()
    await scope.exchange({ target: 'model', request: { ask: 1 }, perform: passing(0), usage })
    await scope.child('judge').exchange({ target: 'judge', request: {}, perform: passing(0), usage })
    expect(scope.usage).toEqual({
      agent: { calls: 1, retries: 0, inputTokens: 5, outputTokens: 2, unpricedCalls: 1 },
      judge: { calls: 1, retries: 0, inputTokens: 5, outputTokens: 2, unpricedCalls: 1 },
    })
    expect(events.map((event) => event.type === 'exchange' && event.target)).toEqual(['model', 'judge'])
  })

  it('is repeated when the infrastructure asks to wait, and the attempts are counted', async () => {
    const { scope } = open()
    await scope.exchange({ target: 'model', request: {}, perform: passing(2), usage })
    expect(scope.usage.agent).toMatchObject({ calls: 3, retries: 2 })
    // The same problem is not logged twice.
    expect(scope.logs).toHaveLength(1)
  })

  it('has an unknown cost when an answer arrived but could not be used', async () => {
    const priced = { usage: { inputTokens: 5, outputTokens: 2, cost: 1 } }
    for (const [kind, unpricedCalls] of [
      ['truncated', 1],
      ['bad_response', 1],
      ['http', undefined],
    ] as const) {
      const { scope } = open()
      const failing = vi.fn(async () => priced)
      failing.mockRejectedValueOnce(new InfrastructureError(kind, 'no', { retryable: true }))
      await scope.exchange({ target: 'model', request: {}, perform: failing, usage })
      expect(scope.usage.agent).toMatchObject({ calls: 2, cost: 1 })
      expect(scope.usage.agent?.unpricedCalls).toBe(unpricedCalls)
      // A call that has no cost, like a tool call, is not counted as unpriced.
      failing.mockRejectedValueOnce(new InfrastructureError(kind, 'no', { retryable: true }))
      await scope.child('tool').exchange({ target: 'tool', request: {}, perform: failing })
      expect(scope.usage.tool?.unpricedCalls).toBeUndefined()
    }
  })

  it('fails after the last retry and reports the number of retries', async () => {
    const { scope } = open({ retries: 2 })
    await expect(
      scope.exchange({ target: 'model', request: {}, perform: passing(9), usage }),
    ).rejects.toThrow('overloaded (after 2 retries)')
  })

  it('is not repeated after an agent error or a permanent failure', async () => {
    const { scope } = open()
    for (const error of [new AgentError('no'), new InfrastructureError('http', '400')]) {
      await expect(
        scope.exchange({ target: 'model', request: {}, perform: () => Promise.reject(error), usage }),
      ).rejects.toBe(error)
    }
    expect(scope.usage).toEqual({ agent: { calls: 2, retries: 0 } })
  })

  it('does not wait longer than the case has time', async () => {
    const { scope } = open({ timeoutMs: 1000 })
    const error = new InfrastructureError('rate_limit', 'later', { retryable: true, retryAfterMs: 60_000 })
    await expect(
      scope.exchange({ target: 'model', request: {}, perform: () => Promise.reject(error), usage }),
    ).rejects.toBe(error)
  })

  it('does not count the pauses between attempts as time of anyone', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { scope, events } = open({ timeoutMs: 5000 })
    const turn = scope.child('agent', 1000)
    const started = turn.clock()
    let attempts = 0
    const perform = async () => {
      attempts += 1
      if (attempts > 1) return 'at last'
      throw new InfrastructureError('rate_limit', 'later', { retryable: true, retryAfterMs: 2000 })
    }
    const asking = turn.exchange({ target: 'model', request: {}, perform })
    await vi.advanceTimersByTimeAsync(2000)
    expect(await asking).toBe('at last')
    expect(turn.clock() - started).toBe(0)
    expect(events.find((event) => event.type === 'exchange')?.durationMs).toBe(0)
  })

  it('does not pause longer than the case has time, all pauses together', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { scope } = open({ timeoutMs: 1000 })
    const later = new InfrastructureError('rate_limit', 'later', { retryable: true, retryAfterMs: 600 })
    const asking = scope.exchange({ target: 'model', request: {}, perform: () => Promise.reject(later) })
    const refused = expect(asking).rejects.toThrow('later (after 1 retry)')
    await vi.advanceTimersByTimeAsync(600)
    await refused
  })

  it('ends at the deadline, whatever the other side does', async () => {
    const { scope } = open({ timeoutMs: 30 })
    const hanging = scope.exchange({
      target: 'model',
      request: {},
      perform: () => new Promise(() => {}),
      usage,
    })
    await expect(hanging).rejects.toThrow(new TimeoutError('timeout after 30ms'))
  })

  describe('that runs out of time', () => {
    interface Took {
      role: Role
      ms: number
      /** Started together with the call before it. */
      atOnce?: boolean
      standing?: number
      /** How long it takes to connect. */
      connecting?: number
      isAgents?: boolean
    }
    const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

    async function blamed(calls: Took[]): Promise<unknown> {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const scope = open({ timeoutMs: 1000 }).scope
      for (const [index, { role, ms, standing = 0, connecting = 0, isAgents = false }] of calls.entries()) {
        const connected = Date.now() + connecting
        const asking = scope.child(role).exchange({
          target: `no. ${index + 1}`,
          request: {},
          perform: async () => {
            await scope.standStill(() => later(standing))
            await later(ms)
          },
          isAgents,
          heldUpBy: () => (Date.now() < connected ? 'a connection' : undefined),
        })
        asking.catch(() => {})
        if (calls[index + 1]?.atOnce !== true) await vi.advanceTimersByTimeAsync(ms + standing)
      }
      await vi.advanceTimersByTimeAsync(5000)
      return scope.signal.reason
    }
    const never = 60_000
    const timeout = (culprit: string) => ({
      kind: 'timeout',
      message: `timeout after 1s, waiting for ${culprit}`,
    })

    it.each<[string, Took[], string]>([
      ['hangs', [{ role: 'tool', ms: never }], 'tool no. 1'],
      [
        'hangs after the agent had most of the time',
        [
          { role: 'agent', ms: 300 },
          { role: 'agent', ms: 300 },
          { role: 'tool', ms: never },
        ],
        'tool no. 3',
      ],
      [
        'took most of the time together with others',
        [
          { role: 'tool', ms: 300 },
          { role: 'simulator', ms: 350 },
          { role: 'agent', ms: never },
        ],
        'simulator no. 2',
      ],
      ['cannot be reached', [{ role: 'agent', ms: never, connecting: never }], 'a connection'],
      [
        'cannot be reached at all, though it is tried again',
        [
          { role: 'agent', ms: 600, connecting: never },
          { role: 'agent', ms: never, connecting: never },
        ],
        'a connection',
      ],
    ])('blames a call that %s', async (_, calls, culprit) => {
      expect(await blamed(calls)).toMatchObject(timeout(culprit))
    })

    it.each<[string, Took[]]>([
      ['hangs', [{ role: 'agent', ms: never }]],
      ['hangs in a tool of its own', [{ role: 'tool', ms: never, isAgents: true }]],
      ['hangs after it was reached', [{ role: 'agent', ms: never, connecting: 300 }]],
      [
        'had most of the time, and is just being connected again',
        [
          { role: 'agent', ms: 700 },
          { role: 'agent', ms: never, connecting: never },
        ],
      ],
      [
        'had most of the time, and a tool is just running',
        [
          { role: 'agent', ms: 700 },
          { role: 'tool', ms: never },
        ],
      ],
      [
        'waited for two tools at the same time',
        [
          { role: 'tool', ms: 400 },
          { role: 'tool', ms: 400, atOnce: true },
          { role: 'agent', ms: never },
        ],
      ],
      [
        'waited for a tool while the clock stood still',
        [
          { role: 'tool', ms: 100, standing: 900 },
          { role: 'agent', ms: never },
        ],
      ],
    ])('blames the agent when it %s', async (_, calls) => {
      expect(await blamed(calls)).toEqual(new TimeoutError('timeout after 1s'))
    })

    it('blames, for a turn, only calls of that turn', async () => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const { scope } = open({ timeoutMs: 1000 })
      const ask = (from: CaseScope, ms: number) =>
        from.exchange({ target: 'x', request: {}, perform: () => later(ms) }).catch(() => {})
      void ask(scope.child('tool'), 600)
      await vi.advanceTimersByTimeAsync(600)
      const turn = scope.child('agent', 200)
      void ask(turn, never)
      await vi.advanceTimersByTimeAsync(400)
      expect(turn.signal.reason).toEqual(new TimeoutError('timeout after 200ms'))
      expect(scope.signal.reason).toMatchObject(timeout('tool x'))
    })
  })

  it('ends when the run is stopped', async () => {
    const run = new AbortController()
    const { scope } = open({ signal: run.signal })
    const hanging = scope.exchange({
      target: 'model',
      request: {},
      perform: () => new Promise(() => {}),
      usage,
    })
    run.abort(new InterruptedError('stop'))
    await expect(hanging).rejects.toBeInstanceOf(InterruptedError)
    await expect(
      scope.exchange({ target: 'model', request: {}, perform: passing(0), usage }),
    ).rejects.toBeInstanceOf(InterruptedError)
  })

  it('refuses data that is nested too deeply to be written', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 6000; level++) deep = [deep]
    const { scope } = open()
    await expect(
      scope.exchange({ target: 'model', request: {}, perform: passing(0, deep), usage }),
    ).rejects.toMatchObject({
      kind: 'bad_response',
    })
  })
})

describe('a child scope', () => {
  it('may have less time than its parent, never more', async () => {
    const { scope } = open({ timeoutMs: 500 })
    // Both are read from a clock that goes on in between.
    expect(Math.abs(scope.child('agent', 60_000).deadline - scope.deadline)).toBeLessThanOrEqual(1)
    const short = scope.child('agent', 20)
    await wait(40)
    expect(short.signal.reason).toEqual(new TimeoutError('timeout after 20ms'))
    expect(scope.signal.aborted).toBe(false)
  })
})

describe('standStill', () => {
  it('costs neither the case nor the scopes around it any time, and is not part of the duration of a call', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { scope, events } = open({ timeoutMs: 200 })
    const turn = scope.child('agent', 100)
    const started = turn.clock()
    const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
    const asking = turn.child('tool').exchange({
      target: 'model',
      request: {},
      perform: async () => {
        await turn.standStill(() => later(400))
        await later(50)
        return 'at last'
      },
    })
    await vi.advanceTimersByTimeAsync(450)
    expect(await asking).toBe('at last')
    expect(turn.clock() - started).toBe(50)
    expect(events.find((event) => event.type === 'exchange')?.durationMs).toBe(50)
  })

  it('ends at once when the run is stopped', async () => {
    const run = new AbortController()
    const { scope } = open({ signal: run.signal })
    const standing = scope.standStill(() => new Promise(() => {}))
    run.abort(new InterruptedError('stop'))
    await expect(standing).rejects.toBeInstanceOf(InterruptedError)
  })

  it('rejects with the error of the work, and the clock runs again', async () => {
    const { scope } = open({ timeoutMs: 20 })
    await expect(scope.standStill(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(
      scope.exchange({ target: 'model', request: {}, perform: () => new Promise(() => {}) }),
    ).rejects.toThrow(TimeoutError)
  })
})
