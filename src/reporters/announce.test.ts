import { describe, expect, it, vi } from 'vitest'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { ResultStore } from '../results/store.ts'
import { createAnnouncer } from './announce.ts'
import type { Reporter } from './reporter.ts'

const finished = (id: string): RunEvent => ({
  type: 'case_finished',
  result: { key: { file: '', id, variant: 'a', run: 1, attempt: 1 } } as CaseResult,
})
const log = (text: string): RunEvent => ({
  type: 'log',
  key: { file: '', id: text, variant: 'a', run: 1, attempt: 1 },
  text,
})
const nameOf = (event: RunEvent) => (event.type === 'case_finished' ? event.result.key.id : event.type)

/** A store and a reporter that note what happens, in one list. */
function announcing({ flush, ...reporter }: Partial<Reporter> & { flush?: () => void } = {}) {
  const notes: string[] = []
  let lines: string[] = []
  const store = {
    writeStart() {},
    writeResult: ({ key }: CaseResult) => void lines.push(key.id),
    flush() {
      flush?.()
      if (lines.length > 0) notes.push(`write ${lines.join(' ')}`)
      lines = []
    },
  } as unknown as ResultStore
  const listening = {
    name: 'r',
    on: (event: RunEvent) => void notes.push(`tell ${nameOf(event)}`),
    ...reporter,
  }
  const announcer = createAnnouncer(store, { reporters: [listening], insiders: [] }, () => (value) => value)
  return { notes, announcer }
}

describe('announcing results', () => {
  it('results of the same moment share one write, and are told after it', async () => {
    const { notes, announcer } = announcing()
    announcer.emit(finished('one'))
    announcer.emit(finished('two'))
    expect(notes).toEqual([])
    await vi.waitFor(() => expect(notes).toEqual(['write one two', 'tell one', 'tell two']))
  })

  it('an event after a result is told after it', async () => {
    const { notes, announcer } = announcing()
    announcer.emit(finished('one'))
    announcer.emit(log('later'))
    announcer.flush()
    expect(notes).toEqual(['write one', 'tell one', 'tell log'])
  })

  it('an event is told at once where no result waits', () => {
    const { notes, announcer } = announcing()
    announcer.emit(log('now'))
    expect(notes).toEqual(['tell log'])
  })

  it('an event that a reporter causes comes after those that are being told', () => {
    const told: string[] = []
    const { announcer } = announcing({
      on(event) {
        told.push(nameOf(event))
        if (nameOf(event) === 'one') announcer.emit(log('caused'))
      },
    })
    announcer.emit(finished('one'))
    announcer.emit(finished('two'))
    announcer.flush()
    expect(told).toEqual(['one', 'two', 'log'])
  })

  it('an event that no reporter wants is not redacted', () => {
    const redact = vi.fn((value) => value)
    const reporters = [{ name: 'r', events: ['case_finished'] as const, on() {} }]
    const store = { flush() {} } as ResultStore
    const announcer = createAnnouncer(store, { reporters, insiders: [] }, () => redact)
    announcer.emit(log('nobody listens'))
    expect(redact).not.toHaveBeenCalled()
  })
})

describe('a result that cannot be written', () => {
  const full = new Error('no space left')
  const refusing = () =>
    announcing({
      flush() {
        throw full
      },
    })

  it('is not told, and aborts the signal of the run with the error', async () => {
    const { notes, announcer } = refusing()
    announcer.emit(finished('one'))
    await vi.waitFor(() => expect(announcer.failed.reason).toBe(full))
    expect(notes).toEqual([])
    expect(() => announcer.emit(finished('two'))).toThrow(full)
    expect(() => announcer.flush()).toThrow(full)
  })

  it('throws no error at those who only log something', async () => {
    const { notes, announcer } = refusing()
    announcer.emit(finished('one'))
    await vi.waitFor(() => expect(announcer.failed.aborted).toBe(true))
    announcer.emit(log('still running'))
    expect(notes).toEqual([])
  })
})
