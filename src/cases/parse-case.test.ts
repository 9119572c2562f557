import { describe, expect, it } from 'vitest'
import { parseCase } from './parse-case.ts'

describe('parseCase', () => {
  it('returns a case with the fields it has, however often it is called', () => {
    const written = { id: 'a', input: 'Hi', tags: ['x'] }
    for (let times = 0; times < 3; times++) expect(parseCase(written)).toEqual(written)
  })

  it('returns nothing for a case without an id, with a wrong value or with an unknown field', () => {
    for (let times = 0; times < 2; times++) {
      expect(parseCase({ input: 'Hi' })).toBeUndefined()
      expect(parseCase({ id: 'a', input: 'Hi', tags: 'x' })).toBeUndefined()
      expect(parseCase({ id: 'a', input: 'Hi', asserts: [] })).toBeUndefined()
      expect(parseCase({ 'id,input': 'Hi' })).toBeUndefined()
    }
  })

  it('parses cases with more sets of fields than are kept', () => {
    const fields = ['name', 'description', 'user', 'team', 'expected'] as const
    for (let set = 0; set < 2 ** fields.length; set++) {
      const some = fields.filter((_, index) => set & (1 << index))
      const written = { id: 'a', input: 'Hi', ...Object.fromEntries(some.map((field) => [field, 'x'])) }
      expect(parseCase(written)).toEqual(written)
      expect(parseCase({ ...written, id: 1 })).toBeUndefined()
    }
  })
})
