import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { project } from '../../../test/support/viva.ts'
import { createUserModules } from './user-modules.ts'

it('compiles a file once, and again when it has changed', () => {
  const file = join(project({ 'a.ts': 'export const a: number = 1\n' }), 'a.ts')
  const modules = createUserModules()
  const first = modules.load(file, true)
  expect(first?.code).toContain('const a = 1')
  expect(modules.load(file, true)).toBe(first)
  writeFileSync(file, 'export const a: number = 234\n')
  expect(modules.load(file, true)?.code).toContain('const a = 234')
})

it('turns JSON into a module only where it is imported without saying so', () => {
  const file = join(project({ 'a.json': '{"b": 1}' }), 'a.json')
  const modules = createUserModules()
  expect(modules.load(file, true)).toEqual({
    format: 'module',
    code: `export default JSON.parse(${JSON.stringify(readFileSync(file, 'utf8'))})`,
  })
  expect(modules.load(file, false)).toBeUndefined()
})

it('finds files by the rules of TypeScript, and leaves what it cannot find to Node', () => {
  const cwd = project({ 'a.ts': '', 'lib/index.ts': '' })
  const modules = createUserModules()
  const parent = join(cwd, 'main.ts')
  expect(modules.resolve(parent, './a.js', 'import')).toEqual({ path: join(cwd, 'a.ts') })
  expect(modules.resolve(parent, './lib', 'import')).toEqual({ path: join(cwd, 'lib/index.ts') })
  expect(modules.resolve(parent, './missing', 'import')).toEqual({})
})
