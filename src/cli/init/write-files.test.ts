import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from './folder.fixture.ts'
import { writeFiles } from './write-files.ts'

describe('the files of viva init', () => {
  it('a .gitignore that is a link stays one, and its target gets the line', () => {
    const { path } = folderWith({ 'shared/ignored': 'dist\n' })
    symlinkSync('shared/ignored', join(path, '.gitignore'))
    writeFiles(path, [{ name: '.gitignore', text: 'dist\n.viva/\n', replaces: true }])
    expect(lstatSync(join(path, '.gitignore')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(path, 'shared/ignored'), 'utf8')).toBe('dist\n.viva/\n')
  })

  it('a failure is reported with its cause, and everything else is removed, if one step back fails', () => {
    const { path } = folderWith({ taken: '' })
    const files = [
      { name: 'first.txt', text: '' },
      { name: 'tests/second.txt', text: '' },
      {
        name: 'taken',
        // Somebody else writes into the new folder in the meantime, so that it cannot be removed.
        get text() {
          writeFileSync(join(path, 'tests/other.txt'), '')
          return ''
        },
      },
    ]
    expect(() => writeFiles(path, files)).toThrow(
      /^not all files could be written: EEXIST.*taken.*could not be removed again: ENOTEMPTY.*tests/,
    )
    expect(existsSync(join(path, 'first.txt'))).toBe(false)
    expect(existsSync(join(path, 'tests/second.txt'))).toBe(false)
  })
})
