import { describe, expect, it } from 'vitest'
import { sealLine, unsealLine } from './line.ts'

const play = { type: 'play', file: 'c.jsonl', id: 'a', variant: 'v', run: 1, attempt: 1, calls: [] }

describe('a line of a recording', () => {
  it('is read as it was written', () => {
    const line = sealLine(JSON.stringify(play))
    expect(line.endsWith('"}\n')).toBe(true)
    expect(unsealLine(line.trimEnd())).toEqual(play)
  })

  it('is refused when anything in it was changed, or its end is missing', () => {
    const line = sealLine(JSON.stringify(play)).trimEnd()
    expect(unsealLine(line.replace('"a"', '"b"'))).toBeUndefined()
    expect(unsealLine(line.slice(0, -1))).toBeUndefined()
    expect(unsealLine(JSON.stringify(play))).toBeUndefined()
  })
})
