import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { app } from './fs.fixture.ts'
import type { fileMethods } from './fs.ts'

type Attempt = [name: string, run: (fs: ReturnType<typeof fileMethods>, path: string) => unknown]

/** All methods with a path that is followed. */
const attempts: Attempt[] = [
  ['Exists', (fs, path) => fs.Exists(path)],
  ['IsDir', (fs, path) => fs.IsDir(path)],
  ['IsFile', (fs, path) => fs.IsFile(path)],
  ['ReadFile', (fs, path) => fs.ReadFile(path)],
  ['ReadFileBuffer', (fs, path) => fs.ReadFileBuffer(path)],
  ['ReadFileBase64', (fs, path) => fs.ReadFileBase64(path)],
  ['WriteFile', (fs, path) => fs.WriteFile(path, 'x')],
  ['WriteFileBuffer', (fs, path) => fs.WriteFileBuffer(path, new Uint8Array([1]))],
  ['WriteFileBase64', (fs, path) => fs.WriteFileBase64(path, 'aGk=')],
  ['AppendFile', (fs, path) => fs.AppendFile(path, 'x')],
  ['AppendFileBuffer', (fs, path) => fs.AppendFileBuffer(path, new Uint8Array([1]))],
  ['AppendFileBase64', (fs, path) => fs.AppendFileBase64(path, 'aGk=')],
  ['InsertFile', (fs, path) => fs.InsertFile(path, 0, 'x')],
  ['InsertFileBuffer', (fs, path) => fs.InsertFileBuffer(path, 0, new Uint8Array([1]))],
  ['InsertFileBase64', (fs, path) => fs.InsertFileBase64(path, 0, 'aGk=')],
  ['ReadDir', (fs, path) => fs.ReadDir(path)],
  ['Mkdir', (fs, path) => fs.Mkdir(path)],
  ['MkdirAll', (fs, path) => fs.MkdirAll(path)],
  ['MkdirTemp', (fs, path) => fs.MkdirTemp(path)],
  ['Chmod', (fs, path) => fs.Chmod(path, 0o777)],
  ['MimeType', (fs, path) => fs.MimeType(path)],
  ['Mode', (fs, path) => fs.Mode(path)],
  ['Size', (fs, path) => fs.Size(path)],
  ['ModTime', (fs, path) => fs.ModTime(path)],
  ['Copy from', (fs, path) => fs.Copy(path, 'x')],
  ['Copy to', (fs, path) => fs.Copy('own', path)],
  ['MoveAppend from', (fs, path) => fs.MoveAppend(path, 'x')],
  ['MoveAppend to', (fs, path) => fs.MoveAppend('own', path)],
  ['MoveInsert from', (fs, path) => fs.MoveInsert(path, 'x', 0)],
  ['MoveInsert to', (fs, path) => fs.MoveInsert('own', path, 0)],
  ['Abs', (fs, path) => fs.Abs(path)],
  ['Glob', (fs, path) => fs.Glob(path)],
]

/** Methods that work on the entry itself. */
const entryAttempts: Attempt[] = [
  ['Remove', (fs, path) => fs.Remove(path)],
  ['RemoveAll', (fs, path) => fs.RemoveAll(path)],
  ['Move from', (fs, path) => fs.Move(path, 'x')],
  ['Move to', (fs, path) => fs.Move('own', path)],
  ['IsLink', (fs, path) => fs.IsLink(path)],
]

describe('an FS cannot be left', () => {
  it.each([...attempts, ...entryAttempts])('through "..": %s', (_, run) => {
    const { fs, secret } = app({ own: 'own' })
    for (const path of [
      '../../outside/secret.txt',
      'a/../../../outside/secret.txt',
      '..',
      '/../x',
      'a\\..\\b',
    ])
      expect(() => run(fs, path)).toThrow('has ".."')
    expect([secret(), fs.ReadFile('own')]).toEqual(['secret', 'own'])
  })

  it.each(attempts)('through a link to a file, to a folder or to nothing: %s', (_, run) => {
    const { fs, data, outside, secret } = app({ own: 'own' })
    symlinkSync(join(outside, 'secret.txt'), join(data, 'file'))
    symlinkSync(outside, join(data, 'folder'))
    for (const path of ['file', 'folder', 'folder/secret.txt', 'folder/new', 'folder/new/deep'])
      expect(() => run(fs, path)).toThrow('through a symbolic link')
    expect([secret(), fs.ReadFile('own')]).toEqual(['secret', 'own'])
    expect(existsSync(join(outside, 'new'))).toBe(false)
  })

  it.each(entryAttempts)('through a link to a folder: %s', (_, run) => {
    const { fs, data, outside, secret } = app({ own: 'own' })
    symlinkSync(outside, join(data, 'folder'))
    for (const path of ['folder/secret.txt', 'folder/new', 'folder/new/deep'])
      expect(() => run(fs, path)).toThrow('through a symbolic link')
    expect([secret(), fs.ReadFile('own')]).toEqual(['secret', 'own'])
  })

  it('through a dangling link', () => {
    const { fs, data, outside } = app({ a: 'a' })
    symlinkSync(join(outside, 'new'), join(data, 'dangling'))
    expect(fs.Exists('dangling')).toBe(false)
    expect(() => fs.WriteFile('dangling', 'x')).toThrow('ENOENT')
    expect(() => fs.MkdirAll('dangling/x')).toThrow('ENOENT')
    expect(existsSync(join(outside, 'new'))).toBe(false)
  })

  it('through an absolute path, which starts at the root of the FS', () => {
    const { fs, outside, data, secret } = app()
    expect(fs.Exists(join(outside, 'secret.txt'))).toBe(false)
    expect(() => fs.ReadFile(join(outside, 'secret.txt'))).toThrow('ENOENT')
    fs.WriteFile(join(outside, 'secret.txt'), 'x')
    expect(readFileSync(join(data, outside, 'secret.txt'), 'utf8')).toBe('x')
    fs.RemoveAll(outside)
    expect(secret()).toBe('secret')
    expect(() => fs.ReadFile('/etc/passwd')).toThrow('ENOENT')
  })

  it('through a folder of the app that is itself a link', () => {
    const { top, outside, open } = app()
    symlinkSync(outside, join(top, 'app/data'))
    expect(() => open('data').ReadFile('secret.txt')).toThrow('FS data: data leads out of')
    expect(() => open('app').ReadFile('data/secret.txt')).toThrow('through a symbolic link')
  })

  it('by copying a folder onto links, or one that contains links', () => {
    const { fs, data, outside, secret } = app({ 'from/a': 'a', 'to/b': 'b', 'linked/c': 'c' })
    symlinkSync(join(outside, 'secret.txt'), join(data, 'to/a'))
    expect(() => fs.Copy('from', 'to')).toThrow('through a symbolic link')
    symlinkSync(outside, join(data, 'linked/out'))
    expect(() => fs.Copy('linked', 'new')).toThrow('through a symbolic link')
    symlinkSync(data, join(data, 'from/loop'))
    expect(() => fs.Copy('from', 'new')).toThrow('from/loop is a link to a folder, which is not copied')
    expect(secret()).toBe('secret')
  })

  it('through a search or a list', () => {
    const { fs, data, outside } = app({ 'a/b': '' })
    symlinkSync(outside, join(data, 'link'))
    expect([fs.Glob('*/*'), fs.Glob('*')]).toEqual([['/a/b'], ['/a']])
    expect(() => fs.Glob('link/*')).toThrow('through a symbolic link')
    expect(fs.ReadDir('/', true)).toEqual(['/a', '/a/b', '/link'])
  })

  it('but links inside it are followed', () => {
    const { fs, data, outside } = app({ 'a/b': 'b' })
    symlinkSync(join(data, 'a'), join(data, 'link'))
    symlinkSync(outside, join(data, 'out'))
    expect([fs.ReadFile('link/b'), fs.IsLink('link'), fs.IsLink('a'), fs.IsLink('none')]).toEqual([
      'b',
      true,
      false,
      false,
    ])
    // The link is removed, not its target.
    fs.Remove('link')
    fs.RemoveAll('out')
    expect([fs.ReadFile('a/b'), fs.IsLink('link'), existsSync(outside)]).toEqual(['b', false, true])
  })

  it('and its root cannot be removed or moved', () => {
    const { fs, open } = app({ a: 'a' })
    for (const files of [fs, open('app')])
      for (const path of ['', '/', '.', './', files.Abs('/'), `${files.Abs('/')}/`]) {
        expect(() => files.RemoveAll(path)).toThrow('is the root folder')
        expect(() => files.Remove(path)).toThrow('is the root folder')
        expect(() => files.Move(path, 'x')).toThrow('is the root folder')
      }
    expect(fs.ReadFile('a')).toBe('a')
  })

  it.each([undefined, null, 7, {}, ['a']])('and a path must be a text, not %j', (path) => {
    const { fs } = app()
    expect(() => fs.ReadFile(path as never)).toThrow('FS data: a path must be a text')
    expect(() => fs.Remove(path as never)).toThrow('FS data: a path must be a text')
    expect(() => fs.Glob(path as never)).toThrow('FS data: a path must be a text')
  })

  it('and a name may contain two dots', () => {
    const { fs } = app()
    fs.WriteFile('a..b', 'x')
    expect(fs.ReadFile('a..b')).toBe('x')
  })
})
