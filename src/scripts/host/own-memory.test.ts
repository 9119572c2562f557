import { describe, expect, it } from 'vitest'
import { parseAnonymousMemory, readOwnMemory } from './own-memory.ts'

describe('ownMemory', () => {
  it('leaves out pages shared with other processes, where the system tells them apart', () => {
    const status = 'VmRSS:\t  120000 kB\nRssAnon:\t   70000 kB\nRssFile:\t   50000 kB\n'
    expect(parseAnonymousMemory(status)).toBe(70_000 * 1024)
    expect(parseAnonymousMemory('')).toBeUndefined()
  })

  it('counts a buffer', () => {
    const before = readOwnMemory()
    const buffer = Buffer.alloc(256 * 1024 * 1024, 1)
    expect(readOwnMemory() - before).toBeGreaterThan(buffer.length / 2)
  })
})
