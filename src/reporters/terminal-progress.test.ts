import { describe, expect, it, vi } from 'vitest'
import { createPen } from './pen.ts'
import { createProgress } from './terminal-progress.ts'

function screen(live: boolean) {
  const written: string[] = []
  return { written, live, columns: 80, write: (text: string) => void written.push(text) }
}

const pen = createPen(false)

describe('the progress line', () => {
  it('is drawn on a terminal, and cleared for every line that stays', () => {
    vi.useFakeTimers()
    const live = screen(true)
    const progress = createProgress(live, pen)
    progress.start(3)
    progress.caseStarted()
    progress.caseStarted()
    progress.caseFinished('passed')
    vi.advanceTimersByTime(100)
    progress.above([pen.line`done`])
    progress.stop()
    vi.useRealTimers()
    expect(live.written).toEqual([
      '\r\u001b[2K1/3 · 1 passed · 0 failed · 1 running',
      '\r\u001b[2Kdone\n',
      '\r\u001b[2K',
    ])
  })

  it('is not drawn over what somebody types', () => {
    vi.useFakeTimers()
    const live = screen(true)
    let typing = true
    const progress = createProgress({ ...live, isBusy: () => typing }, pen)
    progress.start(1)
    vi.advanceTimersByTime(300)
    const meanwhile = [...live.written]
    typing = false
    vi.advanceTimersByTime(100)
    progress.stop()
    vi.useRealTimers()
    expect(meanwhile).toEqual([])
    expect(live.written).toEqual(['\r\u001b[2K0/1 · 0 passed · 0 failed · 0 running', '\r\u001b[2K'])
  })

  it('is not there where nobody looks, and blank lines do not pile up', () => {
    const plain = screen(false)
    const progress = createProgress(plain, pen)
    progress.start(1)
    progress.above([pen.line`a`, pen.line``])
    progress.above([pen.line``, pen.line`b`])
    progress.stop()
    expect(plain.written.join('')).toBe('a\n\nb\n')
  })
})
