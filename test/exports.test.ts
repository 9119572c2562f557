import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { repository } from './support/viva.ts'

const source = join(repository, 'src')

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|test-server\.ts$/.test(name),
)

/** The names that a file exports and declares itself; those that it hands on from another file do not count. */
function declaredExports(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(source, file), 'utf8'))
  const imported = new Set(
    module.staticImports.flatMap(({ entries }) => entries.map(({ localName }) => localName.value)),
  )
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest, localName }) => moduleRequest === null && !imported.has(localName.name ?? ''))
    .flatMap(({ exportName }) => (exportName.kind === 'Name' ? [exportName.name ?? ''] : []))
}

it('no exported name is defined in two files of src', () => {
  const places = new Map<string, Set<string>>()
  for (const file of files)
    for (const name of declaredExports(file)) places.set(name, (places.get(name) ?? new Set()).add(file))
  expect(places.size).toBeGreaterThan(1000)
  const twice = [...places].filter(([, found]) => found.size > 1)
  expect(twice.map(([name, found]) => `${name}: ${[...found].sort().join(', ')}`)).toEqual([])
})
