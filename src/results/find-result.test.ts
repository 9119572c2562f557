import { describe, expect, it } from 'vitest'
import { findResult, type ResultChoice } from './find-result.ts'
import type { Key } from './key.ts'
import { caseResult } from './result.fixture.ts'

const key = (more: Partial<Key> = {}): Key => ({ ...caseResult().key, ...more })

async function find(keys: readonly Key[], choice: Partial<ResultChoice> = {}, name?: string) {
  async function* results() {
    for (const each of keys) yield caseResult({ key: each, ...(name !== undefined && { name }) })
  }
  return (await findResult(results(), { from: 'r.jsonl', wanted: 'T1', run: 1, ...choice })).key
}

describe('findResult', () => {
  it('finds a result by id, by file and id, and by name', async () => {
    const keys = [key({ id: 'T2' }), key()]
    expect(await find(keys)).toEqual(key())
    expect(await find(keys, { wanted: 'a.jsonl:T1' })).toEqual(key())
    expect(await find([key()], { wanted: 'A name' }, 'A name')).toEqual(key())
  })

  it('prefers an id to a name', async () => {
    expect(await find([key({ id: 'T2' }), key()], { wanted: 'T1' }, 'T1')).toEqual(key())
  })

  it('takes run 1, or the one that is wanted', async () => {
    const keys = [key({ run: 2 }), key()]
    expect(await find(keys)).toEqual(key())
    expect(await find(keys, { run: 2 })).toEqual(key({ run: 2 }))
    await expect(find(keys, { run: 3 })).rejects.toThrow('choose one with --run-number: 1, 2')
  })

  it('takes the first run that is meant, or else run 1', async () => {
    const keys = [key({ run: 3 }), key({ run: 2 }), key()]
    expect(await find(keys, { run: (result) => result.key.run > 1 })).toEqual(key({ run: 2 }))
    expect(await find(keys, { run: () => false })).toEqual(key())
  })

  it('lists the files and the variants when several are meant', async () => {
    const files = [key(), key({ file: 'b.jsonl' })]
    await expect(find(files)).rejects.toThrow(
      'T1 may be one of 2 results (name one of a.jsonl:T1, b.jsonl:T1)',
    )
    const variants = [key(), key({ variant: 'b' })]
    await expect(find(variants)).rejects.toThrow('choose one with --variant: a, b')
    expect(await find(variants, { variant: 'b' })).toEqual(key({ variant: 'b' }))
    await expect(find(variants, { variant: 'c' })).rejects.toThrow(
      '--variant c: T1 has no result of it (there is a, b)',
    )
  })

  it('suggests the nearest ids, or lists the first ones', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => key({ id: `case-${index}` }))
    await expect(find(keys, { wanted: 'cas-3' })).rejects.toThrow('did you mean case-3')
    await expect(find(keys, { wanted: 'zzzzzzzzzz' })).rejects.toThrow(/its cases are case-0, .* case-9 …\)/)
    await expect(find([])).rejects.toThrow('r.jsonl has no result of a case "T1"')
  })
})
