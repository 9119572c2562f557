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
