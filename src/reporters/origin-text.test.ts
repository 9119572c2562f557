import { describe, expect, it } from 'vitest'
import { noRateText, originHeading, originNote, originText } from './origin-text.ts'
import { hostile } from './script.fixture.ts'

describe('the text about results that are not of a live run', () => {
  it('names what they were made from, and the layers that were live', () => {
    const replayed = { kind: 'replayed', from: 'demo.recording.jsonl', live: ['model', 'tool'] } as const
    expect(originText(replayed)).toBe('replayed from demo.recording.jsonl (live: model, tool)')
    expect(originHeading({ kind: 'graded', from: 'results.jsonl' })).toBe('Graded from results.jsonl')
  })

  it('says that there is no pass rate, and why', () => {
    expect(originNote({ kind: 'graded', from: 'results.jsonl', live: [] })).toBe(
      'Graded from results.jsonl: not a live run, so no pass rate is computed',
    )
    expect(noRateText('replayed')).toBe('not computed: the results are replayed, not of a live run')
  })

  it('stays on one line, whatever the name of the file', () => {
    const text = originText({ kind: 'replayed', from: hostile, live: [hostile] })
    expect(text).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
  })
})
