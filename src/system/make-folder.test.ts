import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'viva-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('makeFolder', () => {
  it('creates a folder with its parents, and accepts one that exists', () => {
    makeFolder(join(folder, 'a/b/c'))
    makeFolder(join(folder, 'a/b/c'))
    expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true)
  })

  it('throws when a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST')
    expect(() => makeFolder(join(folder, 'file/below'))).toThrow('ENOTDIR')
  })
})
