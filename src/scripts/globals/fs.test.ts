import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { type RunningCall, setCurrentCall } from '../running-call.ts'
import { FS, fileMethods } from './fs.ts'

afterEach(() => setCurrentCall(undefined))

/** An app beside a folder that is none of its business. */
function app(files: Record<string, string> = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'viva-fs-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  write('app/app.yao', '{}')
  write('app/scripts/deep/a.ts', 'x')
  write('outside/secret.txt', 'secret')
  for (const [path, text] of Object.entries(files)) write(`app/data/${path}`, text)
  const script = () => join(top, 'app/scripts/deep')
  return {
    top,
    data: join(top, 'app/data'),
    outside: join(top, 'outside'),
    open: (name: string) => fileMethods(name, script),
    fs: fileMethods('data', script),
    secret: () => readFileSync(join(top, 'outside/secret.txt'), 'utf8'),
  }
}

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

  it('are found from the script that runs, whenever they are used', () => {
    const { top } = app({ 'x.txt': 'hi' })
    const files = new FS() as FS & ReturnType<typeof fileMethods>
    expect(Object.entries(files)).toEqual([['name', 'system']])
    expect(() => files.ReadFile('x.txt')).toThrow('no test or script under way')
    const call = { file: join(top, 'app/scripts/deep/a.ts') } as Partial<RunningCall>
    setCurrentCall(call as RunningCall)
    expect(files.ReadFile('x.txt')).toBe('hi')
  })

  it('need an app', () => {
    const { outside } = app()
    const files = fileMethods('data', () => outside)
    expect(() => files.Exists('x')).toThrow(
      `FS data: ${outside} is in no app: neither there nor above is an app.yao or app.json or app.yaml`,
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
    expect(() => fs.InsertFile('a', -1, 'x')).toThrow('-1 is no place in a')
  })

  it('are written with data of the right kind only', () => {
    const { fs } = app()
    expect(fs.WriteFile('n', 12 as never)).toBe(2)
    expect(() => fs.WriteFile('a', { a: 1 } as never)).toThrow(
      'FS data: a file is written with a text, got object',
    )
    expect(() => fs.WriteFileBuffer('a', 'text' as never)).toThrow('bytes are a Uint8Array, got string')
    for (const data of ['a', 'ü===', 'aGk', 7])
      expect(() => fs.WriteFileBase64('a', data as never)).toThrow('this is no base64')
    expect(fs.Exists('a')).toBe(false)
    expect(fs.WriteFileBuffer('a', new ArrayBuffer(2) as never)).toBe(2)
  })

  it('are moved into others', () => {
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

  it('are looked at', () => {
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
  it('are made and read', () => {
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

  it('are made for a time', () => {
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
    expect(() => fs.MkdirTemp('logs', '../../x')).toThrow('is no name of a folder')
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

type Attempt = [name: string, run: (fs: ReturnType<typeof fileMethods>, path: string) => unknown]

/** All that takes a path which is followed. */
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

/** Those that take the entry itself. */
const entryAttempts: Attempt[] = [
  ['Remove', (fs, path) => fs.Remove(path)],
  ['RemoveAll', (fs, path) => fs.RemoveAll(path)],
  ['Move from', (fs, path) => fs.Move(path, 'x')],
  ['Move to', (fs, path) => fs.Move('own', path)],
  ['IsLink', (fs, path) => fs.IsLink(path)],
]

describe('nothing leaves its folder', () => {
  it.each([...attempts, ...entryAttempts])('by "..": %s', (_, run) => {
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

  it.each(attempts)('by a link to a file, to a folder or to nothing: %s', (_, run) => {
    const { fs, data, outside, secret } = app({ own: 'own' })
    symlinkSync(join(outside, 'secret.txt'), join(data, 'file'))
    symlinkSync(outside, join(data, 'folder'))
    for (const path of ['file', 'folder', 'folder/secret.txt', 'folder/new', 'folder/new/deep'])
      expect(() => run(fs, path)).toThrow('by a symbolic link')
    expect([secret(), fs.ReadFile('own')]).toEqual(['secret', 'own'])
    expect(existsSync(join(outside, 'new'))).toBe(false)
  })

  it.each(entryAttempts)('by a link to a folder: %s', (_, run) => {
    const { fs, data, outside, secret } = app({ own: 'own' })
    symlinkSync(outside, join(data, 'folder'))
    for (const path of ['folder/secret.txt', 'folder/new', 'folder/new/deep'])
      expect(() => run(fs, path)).toThrow('by a symbolic link')
    expect([secret(), fs.ReadFile('own')]).toEqual(['secret', 'own'])
  })

  it('by a link that leads nowhere yet', () => {
    const { fs, data, outside } = app({ a: 'a' })
    symlinkSync(join(outside, 'new'), join(data, 'dangling'))
    expect(fs.Exists('dangling')).toBe(false)
    expect(() => fs.WriteFile('dangling', 'x')).toThrow('ENOENT')
    expect(() => fs.MkdirAll('dangling/x')).toThrow('ENOENT')
    expect(existsSync(join(outside, 'new'))).toBe(false)
  })

  it('by an absolute path, which is meant from there', () => {
    const { fs, outside, data, secret } = app()
    expect(fs.Exists(join(outside, 'secret.txt'))).toBe(false)
    expect(() => fs.ReadFile(join(outside, 'secret.txt'))).toThrow('ENOENT')
    fs.WriteFile(join(outside, 'secret.txt'), 'x')
    expect(readFileSync(join(data, outside, 'secret.txt'), 'utf8')).toBe('x')
    fs.RemoveAll(outside)
    expect(secret()).toBe('secret')
    expect(() => fs.ReadFile('/etc/passwd')).toThrow('ENOENT')
  })

  it('by a folder of the app that is a link itself', () => {
    const { top, outside, open } = app()
    symlinkSync(outside, join(top, 'app/data'))
    expect(() => open('data').ReadFile('secret.txt')).toThrow('FS data: data leads out of')
    expect(() => open('app').ReadFile('data/secret.txt')).toThrow('by a symbolic link')
  })

  it('by a folder that is copied onto links, or has some', () => {
    const { fs, data, outside, secret } = app({ 'from/a': 'a', 'to/b': 'b', 'linked/c': 'c' })
    symlinkSync(join(outside, 'secret.txt'), join(data, 'to/a'))
    expect(() => fs.Copy('from', 'to')).toThrow('by a symbolic link')
    symlinkSync(outside, join(data, 'linked/out'))
    expect(() => fs.Copy('linked', 'new')).toThrow('by a symbolic link')
    symlinkSync(data, join(data, 'from/loop'))
    expect(() => fs.Copy('from', 'new')).toThrow('from/loop is a link to a folder, which is not copied')
    expect(secret()).toBe('secret')
  })

  it('by a search or a list', () => {
    const { fs, data, outside } = app({ 'a/b': '' })
    symlinkSync(outside, join(data, 'link'))
    expect([fs.Glob('*/*'), fs.Glob('*')]).toEqual([['/a/b'], ['/a']])
    expect(() => fs.Glob('link/*')).toThrow('by a symbolic link')
    expect(fs.ReadDir('/', true)).toEqual(['/a', '/a/b', '/link'])
  })

  it('and links inside are followed', () => {
    const { fs, data, outside } = app({ 'a/b': 'b' })
    symlinkSync(join(data, 'a'), join(data, 'link'))
    symlinkSync(outside, join(data, 'out'))
    expect([fs.ReadFile('link/b'), fs.IsLink('link'), fs.IsLink('a'), fs.IsLink('none')]).toEqual([
      'b',
      true,
      false,
      false,
    ])
    // The link goes, and not what it leads to.
    fs.Remove('link')
    fs.RemoveAll('out')
    expect([fs.ReadFile('a/b'), fs.IsLink('link'), existsSync(outside)]).toEqual(['b', false, true])
  })

  it('and no folder removes or moves itself', () => {
    const { fs, open } = app({ a: 'a' })
    for (const files of [fs, open('app')])
      for (const path of ['', '/', '.', './', files.Abs('/'), `${files.Abs('/')}/`]) {
        expect(() => files.RemoveAll(path)).toThrow('is the whole folder')
        expect(() => files.Remove(path)).toThrow('is the whole folder')
        expect(() => files.Move(path, 'x')).toThrow('is the whole folder')
      }
    expect(fs.ReadFile('a')).toBe('a')
  })

  it.each([undefined, null, 7, {}, ['a']])('and a path is a text, not %j', (path) => {
    const { fs } = app()
    expect(() => fs.ReadFile(path as never)).toThrow('FS data: a path is a text')
    expect(() => fs.Remove(path as never)).toThrow('FS data: a path is a text')
    expect(() => fs.Glob(path as never)).toThrow('FS data: a path is a text')
  })

  it('and a name with two dots in it is one', () => {
    const { fs } = app()
    fs.WriteFile('a..b', 'x')
    expect(fs.ReadFile('a..b')).toBe('x')
  })
})

it.each(['Zip', 'Unzip', 'Download', 'ReadCloser'] as const)('viva does not have FS.%s', (name) => {
  const { fs } = app()
  expect(() => fs[name]('a', 'b')).toThrow(`FS.${name}: viva does not have it`)
})
