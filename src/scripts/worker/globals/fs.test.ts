import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { owner, type RunningCall } from '../running-call.ts'
import { app } from './fs.fixture.ts'
import { FS, fileMethods } from './fs.ts'

describe('the folders of an app', () => {
  it('have names', () => {
    const { top, open } = app({ 'x.txt': 'data' })
    expect(['system', 'data', 'app', 'script'].map((name) => open(name).Abs('x'))).toEqual(
      ['data/x', 'data/x', 'x', 'scripts/x'].map((path) => join(top, 'app', path)),
    )
    expect(open('app').ReadFile('data/x.txt')).toBe('data')
    expect(open('script').ReadFile('/deep/a.ts')).toBe('x')
  })

  it.each(['', 'etc', '__proto__', 'constructor', 7, null])('have no other names: %j', (name) => {
    expect(() => new FS(name)).toThrow('there are: system, data, app, script')
  })

  it('are found from the running script, at every use', () => {
    const { top } = app({ 'x.txt': 'hi' })
    const files = new FS() as FS & ReturnType<typeof fileMethods>
    expect(Object.entries(files)).toEqual([['name', 'system']])
    expect(() => files.ReadFile('x.txt')).toThrow('no running test or script')
    const call = { file: join(top, 'app/scripts/deep/a.ts') } as Partial<RunningCall>
    expect(owner.run(call as RunningCall, () => files.ReadFile('x.txt'))).toBe('hi')
  })

  it('need an app', () => {
    const { outside } = app()
    const files = fileMethods('data', () => outside)
    expect(() => files.Exists('x')).toThrow(
      `FS data: ${outside} is not in an app: neither it nor a folder above has an app.yao or app.json or app.yaml`,
    )
  })
})

describe('files', () => {
  it('are written and read as text, bytes and base64', () => {
    const { fs, data } = app()
    expect(fs.WriteFile('/notes/a.txt', 'grüße')).toBe(7)
    expect(readFileSync(join(data, 'notes/a.txt'), 'utf8')).toBe('grüße')
    expect(fs.ReadFile('notes/a.txt')).toBe('grüße')
    expect(fs.WriteFileBuffer('b.bin', new Uint8Array([0, 255]))).toBe(2)
    expect(fs.ReadFileBuffer('b.bin')).toEqual(new Uint8Array([0, 255]))
    expect(fs.WriteFileBase64('c.txt', 'aGk=')).toBe(2)
    expect([fs.ReadFile('c.txt'), fs.ReadFileBase64('c.txt')]).toEqual(['hi', 'aGk='])
    fs.WriteFile('c.txt', 'x')
    expect(fs.ReadFile('c.txt')).toBe('x')
  })

  it('are appended to', () => {
    const { fs } = app()
    expect([
      fs.AppendFile('new/a', 'a'),
      fs.AppendFileBuffer('new/a', new Uint8Array([98])),
      fs.AppendBuffer('new/a', new Uint8Array([99])),
      fs.AppendFileBase64('new/a', 'ZGU='),
      fs.AppendBase64('new/a', 'Zg=='),
    ]).toEqual([1, 1, 1, 2, 1])
    expect(fs.ReadFile('new/a')).toBe('abcdef')
  })

  it('are inserted into', () => {
    const { fs } = app({ a: 'ad' })
    expect(fs.InsertFile('a', 1, 'b')).toBe(1)
    fs.InsertFileBuffer('a', 2, new Uint8Array([99]))
    fs.InsertFileBase64('a', 4, 'ZQ==')
    fs.InsertBuffer('a', 99, new Uint8Array([102]))
    fs.InsertBase64('a', 0, 'LQ==')
    expect(fs.ReadFile('a')).toBe('-abcdef')
    fs.InsertFile('fresh', 3, 'x')
    expect(fs.ReadFile('fresh')).toBe('x')
    expect(() => fs.InsertFile('a', -1, 'x')).toThrow('-1 is not an offset in a')
  })

  it('accept only data of the right type', () => {
    const { fs } = app()
    expect(fs.WriteFile('n', 12 as never)).toBe(2)
    expect(() => fs.WriteFile('a', { a: 1 } as never)).toThrow('FS data: a file takes a text, got object')
    expect(() => fs.WriteFileBuffer('a', 'text' as never)).toThrow('bytes must be a Uint8Array, got string')
    for (const data of ['a', 'ü===', 'aGk', 7])
      expect(() => fs.WriteFileBase64('a', data as never)).toThrow('this is not base64')
    expect(fs.Exists('a')).toBe(false)
    expect(fs.WriteFileBuffer('a', new ArrayBuffer(2) as never)).toBe(2)
  })

  it('are moved into other files', () => {
    const { fs } = app({ a: 'AA', b: 'bb', c: 'cc' })
    expect(fs.MoveAppend('b', 'a')).toBeNull()
    expect(fs.MoveInsert('c', 'a', 2)).toBeNull()
    expect([fs.ReadFile('a'), fs.Exists('b'), fs.Exists('c')]).toEqual(['AAccbb', false, false])
    fs.MoveAppend('a', 'd/e')
    expect([fs.ReadFile('d/e'), fs.Exists('a')]).toEqual(['AAccbb', false])
    expect(() => fs.MoveAppend('none', 'd/e')).toThrow('ENOENT')
  })

  it('are moved, copied and removed', () => {
    const { fs } = app({ a: 'a', 'd/x/y': 'y' })
    expect(fs.Move('a', 'new/b')).toBeNull()
    expect([fs.Exists('a'), fs.ReadFile('new/b')]).toEqual([false, 'a'])
    expect(fs.Copy('new/b', 'other/c')).toBeNull()
    fs.Copy('d', '/copy')
    expect([fs.ReadFile('new/b'), fs.ReadFile('other/c'), fs.ReadFile('copy/x/y')]).toEqual(['a', 'a', 'y'])
    fs.Move('d', 'e')
    expect([fs.IsDir('e'), fs.IsDir('d')]).toEqual([true, false])
    expect(() => fs.Copy('e', 'e/x/z')).toThrow('e cannot be copied into itself')
    expect([fs.Remove('other/c'), fs.Remove('other'), fs.Remove('none')]).toEqual([null, null, null])
    expect(() => fs.Remove('e')).toThrow('ENOTEMPTY')
    expect([fs.RemoveAll('e'), fs.RemoveAll('none'), fs.Exists('e')]).toEqual([null, null, false])
  })

  it('are inspected', () => {
    const { fs, data } = app({ 'a.txt': 'abc' })
    utimesSync(join(data, 'a.txt'), 1_000, 2_000)
    expect([fs.Exists('a.txt'), fs.Exists('b'), fs.Exists('a.txt/b'), fs.Exists('')]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect([fs.IsFile('a.txt'), fs.IsDir('a.txt'), fs.IsDir('/'), fs.IsFile('b')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([fs.Size('a.txt'), fs.ModTime('a.txt')]).toEqual([3, 2_000])
    expect(fs.Chmod('a.txt', 0o600)).toBeNull()
    expect(fs.Mode('a.txt')).toBe(0o600)
    expect([
      fs.BaseName('/a/b.txt'),
      fs.DirName('/a/b.txt'),
      fs.ExtName('/a/b.tar.gz'),
      fs.ExtName('a'),
    ]).toEqual(['b.txt', '/a', 'gz', ''])
    expect(fs.ReadFile(fs.Abs('a.txt'))).toBe('abc')
    expect(() => fs.Size('b')).toThrow('ENOENT')
  })

  it.each([
    ['a.json', '{}', 'application/json'],
    ['a.txt', 'hi', 'text/plain; charset=utf-8'],
    ['a.HTML', '<p>', 'text/html; charset=utf-8'],
    ['image', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['a.txt', '%PDF-1.7', 'application/pdf'],
    ['blob', 'a\0b', 'application/octet-stream'],
    ['empty', '', 'text/plain; charset=utf-8'],
  ])('have a type: %s', (name, content, type) => {
    const { fs } = app()
    fs.WriteFileBuffer(name, Buffer.from(content, 'latin1'))
    expect(fs.MimeType(name)).toBe(type)
  })
})

describe('folders', () => {
  it('are created and read', () => {
    const { fs } = app({ 'b.txt': '', 'a/z': '', 'a/c/d': '' })
    expect(fs.ReadDir('/')).toEqual(['/a', '/b.txt'])
    expect(fs.ReadDir('a')).toEqual(['/a/c', '/a/z'])
    expect(fs.ReadDir('', true)).toEqual(['/a', '/a/c', '/a/c/d', '/a/z', '/b.txt'])
    expect([fs.Mkdir('new'), fs.MkdirAll('x/y/z'), fs.MkdirAll('x')]).toEqual([null, null, null])
    expect([fs.IsDir('new'), fs.IsDir('x/y/z')]).toEqual([true, true])
    expect(() => fs.Mkdir('p/q')).toThrow('ENOENT')
    expect(() => fs.Mkdir('new')).toThrow('EEXIST')
    expect(() => fs.ReadDir('none')).toThrow('ENOENT')
  })

  it('are created temporarily', () => {
    const { fs } = app()
    const [plain, named, starred] = [
      fs.MkdirTemp(),
      fs.MkdirTemp('logs', 'run-'),
      fs.MkdirTemp('logs', 'a-*-z'),
    ]
    expect(plain).toMatch(/^\/tmp\/\w{6}$/)
    expect(named).toMatch(/^\/logs\/run-\w{6}$/)
    expect(starred).toMatch(/^\/logs\/a-\w{6}-z$/)
    for (const path of [plain, named, starred]) expect(fs.IsDir(path)).toBe(true)
    expect(() => fs.MkdirTemp('logs', '../../x')).toThrow('is not a folder name')
  })

  it.each([
    ['*.txt', ['/a.txt', '/b.txt']],
    ['/*', ['/.hidden', '/a.txt', '/b.txt', '/c+.md', '/sub']],
    ['sub/*.txt', ['/sub/a.txt']],
    ['*/a.txt', ['/sub/a.txt']],
    ['[ab].txt', ['/a.txt', '/b.txt']],
    ['[^a].txt', ['/b.txt']],
    ['?.txt', ['/a.txt', '/b.txt']],
    ['c+.*', ['/c+.md']],
    ['a.txt', ['/a.txt']],
    ['\\*.txt', []],
    ['a.txt/*', []],
    ['none/*', []],
  ])('are searched for %s', (pattern, found) => {
    const { fs } = app({ 'a.txt': '', 'b.txt': '', 'c+.md': '', '.hidden': '', 'sub/a.txt': '' })
    expect(fs.Glob(pattern)).toEqual(found)
  })
})

it.each(['Zip', 'Unzip', 'Download', 'ReadCloser'] as const)('viva does not have FS.%s', (name) => {
  const { fs } = app()
  expect(() => fs[name]('a', 'b')).toThrow(`FS.${name}: viva does not have it`)
})
