import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { repository } from './support/viva.ts'

const source = join(repository, 'src')

/** The table of ARCHITECTURE.md: room → rooms it may import. */
function readWalls(): Map<string, Set<string>> {
  const table = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8').split('| room |')[1] ?? ''
  const rows = table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const rooms = rows.filter((cells) => cells.length === 5)
  return new Map(
    rooms.map(([, room = '', , open = '']) => [room, new Set(open.split(/,\s*/).filter(Boolean))]),
  )
}

function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  const found = [
    ...module.staticImports.map((item) => item.moduleRequest.value),
    ...module.staticExports.flatMap((item) =>
      item.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      readFileSync(file, 'utf8').slice(moduleRequest.start + 1, moduleRequest.end - 1),
    ),
  ]
  return [
    ...new Set(found.filter((name) => name.startsWith('.')).map((name) => resolve(dirname(file), name))),
  ]
}

/** What is imported when the program runs: no types. */
function neededBy(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  return module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|test-server\.ts$/.test(name))
  .map((name) => join(source, name))
const graph = new Map(
  files.map((file) => [
    file,
    importsOf(file).filter((path) => path.startsWith(source) && path.endsWith('.ts')),
  ]),
)

/** The folder below `src`, or the file's own name for a file directly in it. */
function roomOf(file: string): string {
  return (relative(source, file).split(sep)[0] ?? '').replace(/\.ts$/, '')
}

describe('the house', () => {
  const walls = readWalls()

  it('has a row in ARCHITECTURE.md for every folder', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).filter((name) => !walls.has(name))).toEqual([])
  })

  it('lets imports through only where its table says so', () => {
    const broken = [...graph].flatMap(([file, imports]) => {
      const room = roomOf(file)
      const open = walls.get(room)
      return imports
        .map(roomOf)
        .filter((to) => to !== room && walls.has(to) && !open?.has(to))
        .map((to) => `${relative(source, file)} (${room}) imports ${to}`)
    })
    expect(broken).toEqual([])
  })

  it('keeps the small files in src free of rooms', () => {
    const shared = [...graph].filter(([file]) => dirname(file) === source && !walls.has(roomOf(file)))
    const broken = shared.filter(([, imports]) =>
      imports.some((path) => dirname(path) !== source || walls.has(roomOf(path))),
    )
    expect(broken.map(([file]) => relative(source, file))).toEqual([])
  })

  it('gives the page only what a browser can load', () => {
    const seen = new Set<string>()
    const broken: string[] = []
    const visit = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      for (const name of neededBy(file)) {
        if (name.startsWith('node:')) broken.push(`${relative(repository, file)} imports ${name}`)
        if (/^\..*\.tsx?$/.test(name)) visit(resolve(dirname(file), name))
      }
    }
    visit(join(repository, 'web/main.tsx'))
    expect(seen.size).toBeGreaterThan(40)
    expect(broken).toEqual([])
  })

  it('has no cycles', () => {
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: string[]) => {
      if (path.includes(file))
        cycles.push(
          [...path.slice(path.indexOf(file)), file].map((item) => relative(source, item)).join(' → '),
        )
      if (path.includes(file) || done.has(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })
})
