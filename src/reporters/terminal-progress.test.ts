import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaseResult } from '../results/result.ts'
import { createPen } from './pen.ts'
import { createScreen } from './screen.ts'
import { createProgress, type Progress } from './terminal-progress.ts'

const clear = '\r\u001b[2K'

function screenWith({ live = true, columns = 80, isBusy = (): boolean => false, logEveryMs = 30_000 } = {}) {
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  const screen = createScreen({
    print(text) {
      screen.clear()
      write(text)
    },
    write,
    live,
    columns,
    isBusy,
    logEveryMs,
  })
  return { written, screen }
}

const key = (id: string, attempt = 1) => ({ file: 'a.jsonl', id, variant: 'a', run: 1, attempt })
const pen = createPen(false)

describe('the progress line', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is drawn on a terminal and cleared before every line that stays', () => {
    const { written, screen } = screenWith()
    const progress = createProgress(screen, pen)
    progress.start({ total: 3 })
    progress.caseStarted(key('a'))
    progress.caseStarted(key('b'))
    progress.caseFinished({ key: key('a'), status: 'passed', usage: {} })
    vi.advanceTimersByTime(100)
    progress.above([pen.line`done`])
    progress.stop()
    expect(written).toEqual([`${clear}1/3 · 1 passed · 0 failed · 1 running: b`, clear, 'done\n'])
  })

  it('shows how many workers there are, and how busy they are', () => {
    const { written, screen } = screenWith({ columns: 120 })
    const progress = createProgress(screen, pen)
    progress.start({ total: 9 })
    progress.workersChanged({ workers: 2, slots: 8, playing: 6 })
    // Which cases they play is known later than how many.
    vi.advanceTimersByTime(100)
    progress.stop()
    expect(written.at(-2)).toContain('2 workers (75% busy)')
  })

  it('names the slowest of the running cases, and how long they have been running', () => {
    const { written, screen } = screenWith({ columns: 120 })
    const progress = createProgress(screen, pen)
    progress.start({ total: 9, titleOf: ({ id }) => `${id} (run 1)` })
    for (const id of ['a', 'b', 'c']) progress.caseStarted(key(id))
    vi.advanceTimersByTime(61_000)
    for (const id of ['d', 'e']) progress.caseStarted(key(id))
    progress.attemptFinished({ key: key('a'), usage: {} })
    progress.caseStarted(key('a', 2))
    vi.advanceTimersByTime(1_500)
    progress.stop()
    expect(written.at(-2)).toBe(
      `${clear}0/9 · 0 passed · 0 failed · 5 running: b (run 1) 1m2s, c (run 1) 1m2s, d (run 1) 1s`,
    )
  })

  it('does not wrap, whatever the names of the cases', () => {
    const { written, screen } = screenWith({ columns: 50 })
    const progress = createProgress(screen, pen)
    progress.start({ total: 1 })
    progress.caseStarted(key('退款'.repeat(20)))
    vi.advanceTimersByTime(100)
    progress.stop()
    expect(written[0]).toBe(`${clear}0/1 · 0 passed · 0 failed · 1 running: 退款退款退`)
  })

  it('is not drawn while someone is typing', () => {
    let typing = true
    const { written, screen } = screenWith({ isBusy: () => typing })
    const progress = createProgress(screen, pen)
    progress.start({ total: 1 })
    vi.advanceTimersByTime(300)
    const meanwhile = [...written]
    typing = false
    vi.advanceTimersByTime(100)
    progress.stop()
    expect(meanwhile).toEqual([])
    expect(written).toEqual([`${clear}0/1 · 0 passed · 0 failed · 0 running`, clear])
  })

  it('is not drawn without a terminal, and blank lines are not repeated', () => {
    const { written, screen } = screenWith({ live: false })
    const progress = createProgress(screen, pen)
    progress.start({ total: 1 })
    progress.above([pen.line`a`, pen.line``])
    progress.above([pen.line``, pen.line`b`])
    progress.stop()
    expect(written.join('')).toBe('a\n\nb\n')
  })

  /** Finishes so many cases, one every 500 ms. */
  function finish(progress: Progress, count: number, usage: CaseResult['usage'] = {}): void {
    for (let index = 0; index < count; index++) {
      progress.caseStarted(key(`c${index}`))
      vi.advanceTimersByTime(500)
      progress.caseFinished({ key: key(`c${index}`), status: index === 1 ? 'failed' : 'passed', usage })
    }
  }

  it('shows the rate, the time left and the cost as soon as they are known', () => {
    const { written, screen } = screenWith({ columns: 120 })
    const progress = createProgress(screen, pen)
    progress.start({ total: 100 })
    finish(progress, 4)
    vi.advanceTimersByTime(100)
    expect(written.at(-1)).toBe(`${clear}4/100 · 3 passed · 1 failed · 0 running`)
    finish(progress, 16, { agent: { calls: 1, retries: 0, cost: 0.01 } })
    vi.advanceTimersByTime(0)
    progress.caseStarted(key('slow'))
    vi.advanceTimersByTime(100)
    expect(written.at(-1)).toBe(
      `${clear}20/100 · 18 passed · 2 failed · 2.0/s · about 45s left · $0.16 · 1 running: slow`,
    )
    progress.stop()
  })

  it('shows tokens where the cost is not known, and counts those of attempts that are retried', () => {
    const { written, screen } = screenWith()
    const progress = createProgress(screen, pen)
    progress.start({ total: 2 })
    const usage = { agent: { calls: 1, retries: 0, inputTokens: 600, outputTokens: 17, unpricedCalls: 1 } }
    progress.attemptFinished({ key: key('a'), usage })
    progress.caseFinished({ key: key('a', 2), status: 'passed', usage })
    vi.advanceTimersByTime(100)
    progress.stop()
    expect(written[0]).toBe(`${clear}1/2 · 1 passed · 0 failed · 1,234 tokens · 0 running`)
  })

  it('says that a total is an upper limit, and counts the results of a run that is resumed', () => {
    const { written, screen } = screenWith()
    const progress = createProgress(screen, pen)
    progress.start({ total: 60, atMost: true, finished: 30 })
    finish(progress, 10)
    vi.advanceTimersByTime(0)
    progress.stop()
    const line = written.findLast((text) => text !== clear)
    expect(line).toBe(
      `${clear}39/60 at most · 8 passed · 1 failed · 1.8/s · at most 15s left · 1 running: c9`,
    )
  })

  it('cases that are not run do not count for the rate', () => {
    const { written, screen } = screenWith()
    const progress = createProgress(screen, pen)
    progress.start({ total: 100 })
    for (let index = 0; index < 50; index++)
      progress.caseFinished({ key: key(`c${index}`), status: 'not_run', usage: {} })
    vi.advanceTimersByTime(2_000)
    progress.stop()
    expect(written.at(-2)).toBe(`${clear}50/100 · 0 passed · 0 failed · 0 running`)
  })

  it('without a terminal, the same is printed from time to time, and never again after the end', () => {
    const { written, screen } = screenWith({ live: false, logEveryMs: 20_000 })
    const progress = createProgress(screen, pen)
    progress.start({ total: 50 })
    finish(progress, 39)
    expect(written).toEqual([])
    finish(progress, 1)
    expect(written).toEqual(['  39/50 · 38 passed · 1 failed · 1.9/s · about 6s left · 1 running: c0\n'])
    progress.stop()
    vi.advanceTimersByTime(60_000)
    expect(written).toHaveLength(1)
  })
})
