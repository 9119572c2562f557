import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPen } from './pen.ts'
import { createScreen } from './screen.ts'
import { createProgress } from './terminal-progress.ts'

const clear = '\r\u001b[2K'

function screenWith({ live = true, columns = 80, isBusy = (): boolean => false } = {}) {
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
    progress.start(3)
    progress.caseStarted(key('a'))
    progress.caseStarted(key('b'))
    progress.caseFinished(key('a'), 'passed')
    vi.advanceTimersByTime(100)
    progress.above([pen.line`done`])
    progress.stop()
    expect(written).toEqual([`${clear}1/3 · 1 passed · 0 failed · 1 running: b`, clear, 'done\n'])
  })

  it('names the slowest of the running cases, and how long they have been running', () => {
    const { written, screen } = screenWith({ columns: 120 })
    const progress = createProgress(screen, pen)
    progress.start(9, ({ id }) => `${id} (run 1)`)
    for (const id of ['a', 'b', 'c']) progress.caseStarted(key(id))
    vi.advanceTimersByTime(61_000)
    for (const id of ['d', 'e']) progress.caseStarted(key(id))
    progress.attemptFinished(key('a'))
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
    progress.start(1)
    progress.caseStarted(key('退款'.repeat(20)))
    vi.advanceTimersByTime(100)
    progress.stop()
    expect(written[0]).toBe(`${clear}0/1 · 0 passed · 0 failed · 1 running: 退款退款退`)
  })

  it('is not drawn while someone is typing', () => {
    let typing = true
    const { written, screen } = screenWith({ isBusy: () => typing })
    const progress = createProgress(screen, pen)
    progress.start(1)
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
    progress.start(1)
    progress.above([pen.line`a`, pen.line``])
    progress.above([pen.line``, pen.line`b`])
    progress.stop()
    expect(written.join('')).toBe('a\n\nb\n')
  })
})
