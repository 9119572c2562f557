import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileWatcher, type FileChange } from './file-watcher.ts'

function folder(...files: string[]): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'viva-watcher-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const file of files) write(path, file)
  return path
}

function write(root: string, file: string, text = String(Math.random())): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** Collects the bursts that a watcher reports, as paths from the folder. */
function watching(
  root: string,
  places = { folders: [root], files: [] as string[] },
  limits: { maxFolders?: number; longestBurstMs?: number } = {},
) {
  const bursts: FileChange[][] = []
  let waiting = () => {}
  const tooMany: number[] = []
  const watcher = createFileWatcher({
    onChanges(changes) {
      bursts.push([...changes])
      waiting()
    },
    onTooMany: (limit) => void tooMany.push(limit),
    quietMs: 60,
    ...limits,
  })
  onTestFinished(() => watcher.close())
  watcher.watch(places)
  return {
    watcher,
    bursts,
    tooMany,
    async next(): Promise<string[]> {
      if (bursts.length === 0)
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      return (bursts.shift() ?? []).map(({ path }) => relative(root, path)).sort()
    },
  }
}

describe('the file watcher', () => {
  it('reports files that are written, created and removed', async () => {
    const root = folder('a.txt', 'b.txt', 'deep/er/c.txt')
    const { next } = watching(root)
    write(root, 'a.txt')
    write(root, 'new.txt')
    rmSync(join(root, 'b.txt'))
    write(root, 'deep/er/c.txt')
    expect(await next()).toEqual(['a.txt', 'b.txt', 'deep/er/c.txt', 'new.txt'])
  })

  it('200 files that are written at once are one burst, in new and nested folders too', async () => {
    const root = folder('a.txt')
    const { next, bursts } = watching(root)
    const files = Array.from({ length: 200 }, (_, index) => `new/${index % 7}/${index % 3}/${index}.txt`)
    for (const file of files) write(root, file)
    expect(await next()).toEqual([...files].sort())
    expect(bursts).toEqual([])
  })

  it('files in folders that are created later are watched', async () => {
    const root = folder('a.txt')
    const { next } = watching(root)
    write(root, 'new/nested/b.txt')
    expect(await next()).toEqual(['new/nested/b.txt'])
    write(root, 'new/nested/b.txt')
    expect(await next()).toEqual(['new/nested/b.txt'])
  })

  it('a file that an editor replaces is reported, and so is the next time', async () => {
    const root = folder('a.txt')
    const { next } = watching(root)
    for (let round = 0; round < 3; round++) {
      write(root, 'a.txt.new')
      renameSync(join(root, 'a.txt.new'), join(root, 'a.txt'))
      expect(await next()).toEqual(['a.txt'])
    }
  })

  it('a folder that is removed is reported with its files, and can come back', async () => {
    const root = folder('tests/a.txt', 'tests/deep/b.txt')
    const { next } = watching(root)
    rmSync(join(root, 'tests'), { recursive: true })
    expect(await next()).toEqual(['tests/a.txt', 'tests/deep/b.txt'])
    write(root, 'tests/a.txt')
    expect(await next()).toEqual(['tests/a.txt'])
  })

  it.each(['d', 'd/deep'])('a folder that is replaced at once is still watched: %s', async (name) => {
    const root = folder(`${name}/a.txt`, `${name}/deep/b.txt`)
    const { next } = watching(root)
    rmSync(join(root, 'd'), { recursive: true })
    write(root, `${name}/a.txt`)
    write(root, `${name}/deep/b.txt`)
    expect(await next()).toEqual([`${name}/a.txt`, `${name}/deep/b.txt`])
    write(root, `${name}/a.txt`)
    expect(await next()).toEqual([`${name}/a.txt`])
    write(root, `${name}/deep/new.txt`)
    expect(await next()).toEqual([`${name}/deep/new.txt`])
  })

  it('a folder that another one takes the place of is still watched', async () => {
    const root = folder('d/a.txt', 'd/gone.txt', 'd/old/b.txt')
    const other = folder('d/a.txt', 'd/deep/c.txt')
    const { next } = watching(root)
    renameSync(join(root, 'd'), join(other, 'former'))
    renameSync(join(other, 'd'), join(root, 'd'))
    expect(await next()).toEqual(['d/a.txt', 'd/deep/c.txt', 'd/gone.txt', 'd/old/b.txt'])
    write(root, 'd/a.txt')
    expect(await next()).toEqual(['d/a.txt'])
    write(root, 'd/deep/c.txt')
    expect(await next()).toEqual(['d/deep/c.txt'])
  })

  it('a root that is replaced at once is still watched', async () => {
    const root = join(folder(), 'root')
    write(root, 'a.txt')
    write(root, 'deep/b.txt')
    const { next } = watching(root)
    rmSync(root, { recursive: true })
    write(root, 'a.txt')
    expect(await next()).toEqual(['a.txt', 'deep/b.txt'])
    write(root, 'a.txt')
    expect(await next()).toEqual(['a.txt'])
    write(root, 'deep/b.txt')
    expect(await next()).toEqual(['deep/b.txt'])
  })

  it('a root that is removed is watched again when it is back', async () => {
    const root = join(folder(), 'root')
    write(root, 'a.txt')
    const { next } = watching(root)
    rmSync(root, { recursive: true })
    expect(await next()).toEqual(['a.txt'])
    write(root, 'b.txt')
    expect(await next()).toEqual(['b.txt'])
    write(root, 'deep/c.txt')
    expect(await next()).toEqual(['deep/c.txt'])
  })

  it('the folder of a single file can be replaced', async () => {
    const root = folder('app/a.txt', 'shared/b.txt')
    const { next } = watching(root, { folders: [join(root, 'app')], files: [join(root, 'shared/b.txt')] })
    rmSync(join(root, 'shared'), { recursive: true })
    write(root, 'shared/b.txt')
    expect(await next()).toEqual(['shared/b.txt'])
    write(root, 'shared/b.txt')
    expect(await next()).toEqual(['shared/b.txt'])
  })

  it('folders that are never read are not looked into', async () => {
    const root = folder('node_modules/a/index.js', '.git/index', '.viva/history.jsonl', 'a.txt')
    const { next } = watching(root)
    for (const file of ['node_modules/a/index.js', '.git/index', '.viva/history.jsonl', 'a.txt'])
      write(root, file)
    expect(await next()).toEqual(['a.txt'])
  })

  it('single files are watched where the rest of their folder is not', async () => {
    const root = folder('app/a.txt', 'shared/b.txt', 'shared/other.txt', 'app/node_modules/x/c.txt')
    const files = [join(root, 'shared/b.txt'), join(root, 'app/node_modules/x/c.txt')]
    const { next } = watching(root, { folders: [join(root, 'app')], files })
    write(root, 'shared/other.txt')
    write(root, 'shared/b.txt')
    write(root, 'app/node_modules/x/c.txt')
    expect(await next()).toEqual(['app/node_modules/x/c.txt', 'shared/b.txt'])
  })

  it('other places can be watched later, and what is in them already is no change', async () => {
    const root = folder('app/a.txt', 'shared/b.txt', 'shared/c.txt')
    const shared = (...names: string[]) => names.map((name) => join(root, 'shared', name))
    const { next, watcher } = watching(root, { folders: [join(root, 'app')], files: shared('b.txt') })
    watcher.watch({ folders: [join(root, 'app')], files: shared('b.txt', 'c.txt') })
    write(root, 'shared/c.txt')
    expect(await next()).toEqual(['shared/c.txt'])
    watcher.watch({ folders: [join(root, 'shared')], files: [] })
    write(root, 'app/a.txt')
    write(root, 'shared/b.txt')
    expect(await next()).toEqual(['shared/b.txt'])
  })

  it.each([
    ['folders', (root: string, number: number) => write(root, `${number}/a.txt`)],
    ['files', (root: string, number: number) => write(root, `${number}.txt`)],
  ])('%s that are created without a pause do not postpone the report for ever', async (_, create) => {
    const root = folder('a.txt')
    const { next, bursts } = watching(root, undefined, { longestBurstMs: 400 })
    let number = 0
    const creating = setInterval(() => create(root, number++), 10)
    onTestFinished(() => clearInterval(creating))
    write(root, 'a.txt')
    const reported = [await next(), await next()].flat()
    const created = number
    clearInterval(creating)
    expect(reported.filter((path) => path === 'a.txt')).toHaveLength(1)
    expect(reported.length).toBeLessThanOrEqual(created + 1)
    // What was created after the last report is reported too, and nothing twice.
    while (reported.length < number + 1) reported.push(...(await next()))
    expect(new Set(reported).size).toBe(number + 1)
    expect(bursts).toEqual([])
  })

  it('more folders than can be watched are reported once', () => {
    const root = folder('a/1.txt', 'b/1.txt', 'c/1.txt', 'd/1.txt')
    const { tooMany } = watching(root, undefined, { maxFolders: 3 })
    expect(tooMany).toEqual([3])
  })
})
