import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from './replace-file.ts'

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'viva-replace-'))
}

describe('replaceFile', () => {
  it('a file is replaced and keeps its mode', () => {
    const path = join(folder(), 'a')
    writeFileSync(path, 'old')
    chmodSync(path, 0o600)
    replaceFile(path, [Buffer.from('n'), Buffer.from('ew')])
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('when the content cannot be made, the old file stays and nothing is left beside it', () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'a'), 'old')
    const broken = function* () {
      yield Buffer.from('half')
      throw new Error('no more')
    }
    expect(() => replaceFile(join(cwd, 'a'), broken())).toThrow('no more')
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('old')
    expect(readdirSync(cwd)).toEqual(['a'])
  })

  it('a folder is not replaced, and nothing is left beside it', () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'a'))
    expect(() => replaceFile(join(cwd, 'a'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/)
    expect(readdirSync(cwd)).toEqual(['a'])
  })
})
