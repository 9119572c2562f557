import { describe, expect, it } from 'vitest'
import type { CrashFailure, ThreadChoice } from '../protocol/protocol.ts'
import type { CallOptions } from './call-options.ts'
import { ScriptCrash } from './script-error.ts'
import { SharedCalls } from './shared-call.ts'

const signal = new AbortController().signal

/** Makes attempts that end in turn as given; remembers the threads. */
function createAttempts(...outcomes: (string | Partial<CrashFailure>)[]) {
  const threads: ThreadChoice['kind'][] = []
  const attempt = async (thread: ThreadChoice, options: CallOptions) => {
    threads.push(thread.kind)
    const outcome = outcomes.shift()
    if (outcome === 'blocked') options.onBlocked?.('agent.ts:3')
    if (typeof outcome === 'object')
      throw new ScriptCrash({ kind: 'crash', ended: 'shared', message: 'gone', ...outcome })
    return outcome
  }
  return { threads, attempt }
}

describe('a call in a shared thread', () => {
  it('is run once more in a thread of its own when its thread ends, and its lost time is taken back', async () => {
    const { threads, attempt } = createAttempts({}, 'fine')
    const times = [1000, 1700]
    const refunds: number[] = []
    const options = { signal, clock: () => times.shift() ?? 0, refund: (ms: number) => refunds.push(ms) }
    expect(await new SharedCalls().run('agent.ts', options, attempt)).toBe('fine')
    expect(threads).toEqual(['shared', 'watched'])
    expect(refunds).toEqual([700])
  })

  it.each<[string, Partial<CrashFailure>]>([
    ['it is to blame itself', { ended: 'worker' }],
    ['the whole process has ended', { ended: 'host' }],
  ])('is not run again here when %s', async (_, crash) => {
    const { threads, attempt } = createAttempts(crash)
    await expect(new SharedCalls().run('agent.ts', { signal }, attempt)).rejects.toThrow('gone')
    expect(threads).toEqual(['shared'])
  })

  it('is not run again when it was aborted, or a second time', async () => {
    const aborted = createAttempts({}, 'fine')
    const options = { signal: AbortSignal.abort() }
    await expect(new SharedCalls().run('agent.ts', options, aborted.attempt)).rejects.toThrow('gone')
    const twice = createAttempts({}, {}, 'fine')
    await expect(new SharedCalls().run('agent.ts', { signal }, twice.attempt)).rejects.toThrow('gone')
    expect([aborted.threads, twice.threads]).toEqual([['shared'], ['shared', 'watched']])
  })

  it.each<[string, Partial<CrashFailure>, string]>([
    ['asks viva for something', { blocks: true }, 'fine'],
    ['blocks its thread and then answers', {}, 'blocked'],
  ])('of a file that %s has its own thread from then on', async (_, crash, outcome) => {
    const { threads, attempt } = createAttempts(crash, outcome, 'next', 'other')
    const calls = new SharedCalls()
    for (const file of ['agent.ts', 'agent.ts', 'other.ts']) await calls.run(file, { signal }, attempt)
    expect(threads).toEqual(['shared', 'watched', 'watched', 'shared'])
  })
})
