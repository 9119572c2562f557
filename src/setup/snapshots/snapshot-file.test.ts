import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSnapshots, parseSnapshots, type Snapshot, snapshotName } from './snapshot-file.ts'

const greeting: Snapshot = {
  id: 'greeting',
  part: 'turn 1, output',
  variant: 'desk',
  text: 'Hello!\n\n  Bye',
}

describe('a snapshot file', () => {
  it('is readable text, sorted by name', () => {
    const other = { ...greeting, id: 'case-10', text: 'x' }
    const earlier = { ...greeting, id: 'case-9', text: 'y' }
    expect(formatSnapshots('cases.jsonl', [greeting, other, earlier]).split('\n').slice(1)).toEqual([
      '',
      'case: case-9',
      'part: turn 1, output',
      'agent: desk',
      '    y',
      '',
      'case: case-10',
      'part: turn 1, output',
      'agent: desk',
      '    x',
      '',
      'case: greeting',
      'part: turn 1, output',
      'agent: desk',
      '    Hello!',
      '',
      '      Bye',
      '',
    ])
  })

  it('gives back what was written', () => {
    const line = fc.string({ unit: 'grapheme' })
    const text = line.map((value) => value.replace(/\s+$/gm, '').replaceAll('\r', ''))
    fc.assert(
      fc.property(line, line, line, text, (id, part, variant, content) => {
        const snapshot = { id, part, variant, text: content.trimEnd() }
        const parsed = parseSnapshots(formatSnapshots('c.jsonl', [snapshot]), 'c.jsonl.snap')
        expect([...parsed]).toEqual([[snapshotName(snapshot), snapshot]])
      }),
    )
  })

  it('has no control characters, whatever is in the texts, and gives them back', () => {
    const text = fc.string({ unit: 'binary-ascii' }).map((value) => value.replace(/\s+$/gm, '').trimEnd())
    const name = fc.string({ unit: 'binary-ascii' })
    fc.assert(
      fc.property(name, text, (id, content) => {
        const snapshot = { ...greeting, id, text: `${content}\u0000 \\u001b \\\u001b[31m\u009b\r!` }
        const written = formatSnapshots('c.jsonl', [snapshot])
        expect(written).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
        expect([...parseSnapshots(written, 'c.snap').values()]).toEqual([snapshot])
      }),
    )
  })

  it('a text without control characters is written as it is, with its backslashes', () => {
    const written = formatSnapshots('c.jsonl', [{ ...greeting, text: '\\u001b \\d' }])
    expect(written).toContain('agent: desk\n    \\u001b \\d\n')
    expect(formatSnapshots('c.jsonl', [{ ...greeting, text: '\u001b[1mHi' }])).toContain(
      'agent: desk\ntext: escaped\n    \\u001b[1mHi\n',
    )
  })

  it('control characters of an earlier version are read as they are', () => {
    const written = 'case: greeting\npart: turn 1, output\nagent: desk\n    \u001b[1mHi\n'
    expect([...parseSnapshots(written, 'c.snap').values()]).toEqual([{ ...greeting, text: '\u001b[1mHi' }])
  })

  it('line ends of Windows make no difference', () => {
    const content = formatSnapshots('c.jsonl', [greeting]).replaceAll('\n', '\r\n')
    expect([...parseSnapshots(content, 'c.jsonl.snap').values()]).toEqual([greeting])
  })

  it.each([
    ['a merge conflict', 'case: a\n<<<<<<< HEAD\n', 'c.snap:2: a merge conflict is not resolved'],
    [
      'a line that is not indented',
      'case: a\npart: b\nagent: c\n    text\nmore\n',
      'c.snap:5: expected "case: …"',
    ],
    ['a field that is missing', 'case: a\nagent: c\n', 'c.snap:2: expected "part: …"'],
    ['a broken quotation', 'case: "a\n', 'c.snap:1: a value that begins with a quotation mark must be JSON'],
    [
      'the same snapshot twice',
      `${formatSnapshots('c', [greeting])}${formatSnapshots('c', [greeting])}`,
      'the same snapshot is in the file twice',
    ],
  ])('%s is a configuration error with its line', (_, content, message) => {
    expect(() => parseSnapshots(content, 'c.snap')).toThrow(message)
  })
})
