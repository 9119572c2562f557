import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { repository } from './support/viva.ts'

const source = join(repository, 'src')

interface Row {
  folder: string
  imports: string[]
}

/** The table of ARCHITECTURE.md, from the top of the program down: each folder, and those that it imports. */
function readTable(): Row[] {
  const table = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8').split('| folder |')[1] ?? ''
  const [rows = ''] = table.split('\n\n')
  return rows
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 5)
    .map(([, folder = '', , imports = '']) => ({
      folder: folder.replaceAll('`', ''),
      imports: imports.split(/,\s*/).filter(Boolean),
    }))
}

/** Every folder may import these, so the table does not list them. */
const base = ['json', 'text', 'system', 'errors', 'require-package', 'version']

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
function folderOf(file: string): string {
  return (relative(source, file).split(sep)[0] ?? '').replace(/\.ts$/, '')
}

describe('imports between the folders of src', () => {
  const table = readTable()
  const names = table.map(({ folder }) => folder)

  it('has at most 20 folders, all of them in the table of ARCHITECTURE.md', () => {
    const folders = readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(folders.length).toBeLessThanOrEqual(20)
    expect(folders.filter((name) => !names.includes(name))).toEqual([])
  })

  it('imports only folders that stand below in the table', () => {
    const upwards = [...graph].flatMap(([file, imports]) => {
      const own = names.indexOf(folderOf(file))
      return imports
        .filter((path) => own !== -1 && names.indexOf(folderOf(path)) !== -1)
        .filter((path) => names.indexOf(folderOf(path)) < own)
        .map((path) => `${relative(source, file)} imports ${relative(source, path)}`)
    })
    expect(upwards).toEqual([])
  })

  it('lists for every folder exactly those that it imports', () => {
    const found = new Map(names.map((name) => [name, new Set<string>()]))
    for (const [file, imports] of graph)
      for (const path of imports)
        if (folderOf(path) !== folderOf(file)) found.get(folderOf(file))?.add(folderOf(path))
    const actual = table.map(({ folder }) => ({
      folder,
      imports: names.filter((name) => found.get(folder)?.has(name) && !base.includes(name)),
    }))
    expect(table).toEqual(actual)
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
