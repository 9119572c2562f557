import { symlink } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { failure, never } from '../../../test/fixtures/scripts/hosts.ts'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { createScriptHost } from '../runner/script-host.ts'
import { createOpening, isOpenModule } from './open-module.ts'

const host = createScriptHost()

afterAll(async () => {
  await host.close()
  await removeProjects()
})

function call(file: string, name?: string): Promise<unknown> {
  const called = name === undefined ? {} : { function: name }
  return host.call({ kind: 'script', file, ...called, args: [] }, { signal: never })
}

/** Returns what `TestIt` of a test file returns. */
async function run(files: Record<string, string>, file = 'desk_test.ts'): Promise<unknown> {
  const at = await writeProject(files)
  return call(at(file), 'TestIt')
}

describe('an open module', () => {
  it('is a test file, a tested file, or a script of an app', async () => {
    const at = await writeProject({
      'plain.ts': '',
      'tested.ts': '',
      'tested_test.ts': '',
      'other.js': '',
      'other_test.ts': '',
      'data.json': '',
      'data_test.ts': '',
      'app/app.yao': '{}',
      'app/scripts/deep/er.ts': '',
      'app/data.json': '',
      'json-app/app.json': '{}',
      'json-app/x.mjs': '',
    })
    const open = ['tested.ts', 'tested_test.ts', 'other.js', 'app/scripts/deep/er.ts', 'json-app/x.mjs']
    for (const file of open) expect(isOpenModule(at(file)), file).toBe(true)
    for (const file of ['plain.ts', 'data.json', 'app/data.json', 'app/app.yao'])
      expect(isOpenModule(at(file)), file).toBe(false)
  })

  it('has functions that can be called without an export; other modules do not', async () => {
    const source = 'function hidden() { return 1 }\nexport const shown = () => 2'
    const at = await writeProject({ 'app/app.yao': '', 'app/x.ts': source, 'plain/x.ts': source })
    expect(await call(at('app/x.ts'), 'hidden')).toBe(1)
    expect(await failure(call(at('plain/x.ts'), 'hidden'))).toMatchObject({
      name: 'ScriptLoadError',
      fault: 'there is no export "hidden"; its exports are: shown',
    })
  })

  it('is found behind a symbolic link', async () => {
    const at = await writeProject({ 'app/app.yao': '', 'app/x.ts': 'function hidden() { return 1 }' })
    await symlink(at('app'), at('link'))
    await symlink(at('app/x.ts'), at('app/desk.ts'))
    expect(await call(at('link/x.ts'), 'hidden')).toBe(1)
    expect(await call(at('app/desk.ts'), 'hidden')).toBe(1)
  })

  it('reports what a name is when it is not a function', async () => {
    const source = 'let data = 1; class Desk {} namespace Types { export type A = 1 } interface Shape {}'
    const at = await writeProject({ 'app.yao': '', 'x.ts': source })
    const fault = async (name: string) => (await failure(call(at('x.ts'), name))) as { fault: string }
    expect((await fault('data')).fault).toBe('export "data" is a number, not a function')
    expect((await fault('Desk')).fault).toBe('export "Desk" is a class: export an instance of it')
    expect((await fault('Types')).fault).toBe('export "Types" is undefined, not a function')
    expect((await fault('Shape')).fault).toMatch(/^there is no export "Shape"/)
    for (const name of ['toString', '__proto__', 'constructor'])
      expect((await fault(name)).fault, name).toMatch(/^there is no export/)
  })

  it('does not export its own names', async () => {
    const at = await writeProject({
      'app.yao': '',
      'x.ts': 'function hidden() {}\nexport const shown = 1',
      'y.ts': 'import * as x from "./x"\nexport const keys = () => Object.keys(x)',
    })
    expect(await call(at('y.ts'), 'keys')).toEqual(['shown'])
  })
})

describe('the tested file', () => {
  const desk = `
    const rooms = ['a', 'b']
    let { first, rest: [second, ...others] } = { first: 1, rest: [2, 3] }
    function book(room: string) { return 'booked ' + room }
    async function later() { return 'later' }
    class Room { name = 'room' }
    enum Kind { Single = 'single' }
    enum Kind { Double = 'double' }
    namespace Shop { export const name = 'shop' }
    namespace Types { export type A = 1 }
    declare const missing: number
    interface Shape {}
    export default function named() { return 'named' }
    export const given = 'given'`

  it('is available without an import, whatever it declares', async () => {
    const test = `async function TestIt() {
      return [rooms, first, second, others, book('a'), await later(), new Room().name, Kind.Single, Kind.Double, Shop.name, named(), given, typeof missing]
    }`
    expect(await run({ 'desk.ts': desk, 'desk_test.ts': test })).toEqual([
      ['a', 'b'],
      1,
      2,
      [3],
      'booked a',
      'later',
      'room',
      'single',
      'double',
      'shop',
      'named',
      'given',
      'undefined',
    ])
  })

  it.each<[string, string, unknown]>([
    ['variable', 'const book = 1\nfunction TestIt() { return [book, given] }', [1, 'given']],
    [
      'function',
      'function TestIt() { return book() + given }\nfunction book() { return "own " }',
      'own given',
    ],
    ['class', 'class Room { name = "own" }\nconst TestIt = () => new Room().name', 'own'],
    ['destructured name', 'const { a: [book] } = { a: [1] }\nfunction TestIt() { return book }', 1],
    ['import', 'import { sep as book } from "node:path"\nfunction TestIt() { return book }', '/'],
    ['import of everything', 'import * as book from "node:path"\nfunction TestIt() { return book.sep }', '/'],
    ['enum', 'enum Kind { A = 1 }\nfunction TestIt() { return [Kind.A, book("x")] }', [1, 'booked x']],
    [
      'namespace',
      'namespace Shop { export const name = "own" }\nfunction TestIt() { return Shop.name }',
      'own',
    ],
    ['type', 'type book = string\nfunction TestIt() { return book("x" as book) }', 'booked x'],
    ['parameter', 'function TestIt(book = 1, Room = 2) { return book + Room }', 3],
  ])('is hidden by a %s of the test', async (_, test, expected) => {
    expect(await run({ 'desk.ts': desk, 'desk_test.ts': test })).toEqual(expected)
  })

  it('keeps its own __dirname and require, as the test does', async () => {
    const own =
      'const __dirname = "of the desk"\nconst require = () => "of the desk"\nfunction where() { return __dirname }'
    const test =
      'import "node:fs"\nfunction TestIt() { return [where(), __dirname === import.meta.dirname, require("node:path").sep] }'
    expect(await run({ 'desk.ts': own, 'desk_test.ts': test })).toEqual(['of the desk', true, '/'])
  })

  it.each([
    'import { given } from "./desk"',
    'import { given } from "./desk.ts"',
    'import { given } from "./desk.js"',
    'import { given } from "../src/desk"',
    'import * as all from "./desk"; const { given } = all',
    'import "./desk"; const given = "given"',
  ])('is available only as imported: %s', async (statement) => {
    const test = `${statement}\nfunction TestIt() { return [given, typeof book] }`
    const files = { 'src/desk.ts': desk, 'src/desk_test.ts': test }
    expect(await run(files, 'src/desk_test.ts')).toEqual(['given', 'undefined'])
  })

  it.each([
    'import type { Shape } from "./desk"',
    'import { type Shape } from "./desk"',
    'import { sep } from "node:path"; import { desk } from "./other/desk"',
  ])('is available in addition to other imports: %s', async (statement) => {
    const test = `${statement}\nfunction TestIt() { return book('a') }`
    const files = { 'desk.ts': desk, 'desk_test.ts': test, 'other/desk.ts': 'export const desk = 1' }
    expect(await run(files)).toBe('booked a')
  })

  it('is loaded once, however it is reached', async () => {
    const files = {
      'desk.ts': 'let count = 0\nfunction next() { return ++count }',
      'other.ts': 'import "./desk"',
      'desk_test.ts': 'import "./other"\nfunction TestIt() { next(); return next() }',
    }
    expect(await run(files)).toBe(2)
  })

  it.each([
    ['another language', 'desk.js', 'function book() { return 1 }'],
    ['CommonJS', 'desk.ts', 'function book() { return 1 }\nmodule.exports = { book }'],
    ['CommonJS by name', 'desk.cts', 'function book(): number { return 1 }'],
    ['a script', 'desk.ts', '#!/usr/bin/env node\r\nfunction book() { return 1 }\r\n'],
  ])('may be written in %s', async (_, file, source) => {
    expect(await run({ [file]: source, 'desk_test.ts': 'function TestIt() { return book() }' })).toBe(1)
  })

  it('may have any name', async () => {
    const name = "a b#c%20?ü'部"
    const files = { [`${name}.ts`]: 'const book = 1', [`${name}_test.ts`]: 'const TestIt = () => book' }
    expect(await run(files, `${name}_test.ts`)).toBe(1)
  })

  it('that cannot be loaded is reported with its place', async () => {
    const files = { 'desk.ts': '\nconst book = ;', 'desk_test.ts': 'function TestIt() {}' }
    expect(await failure(run(files))).toMatchObject({
      name: 'ScriptLoadError',
      file: expect.stringMatching(/desk\.ts$/),
      line: 2,
    })
  })
})

describe('the line numbers of an open module', () => {
  it.each<[string, string]>([
    ['only a prelude', ''],
    ['a shebang', '#!/usr/bin/env viva\n'],
    ['types', 'interface A {\n  a: 1\n}\n'],
    ['imports of @yao/… over lines', 'import {\n  Process,\n  type Context,\n} from "@yao/runtime"\n'],
    ['CRLF', '\r\n\r\n'],
    [
      'all of these',
      '#!/x\nimport { type A } from "@yao/a"\nimport yao, {\n  Process\n} from "@yao/runtime"\ntype B = {\n}\n',
    ],
  ])('are right in stacks with %s', async (_, before) => {
    const test = `${before}function TestIt(): void {\n  fail()\n}`
    const at = await writeProject({
      'desk.ts': '\nfunction fail(): never {\n  throw new Error("no")\n}',
      'desk_test.ts': test,
    })
    const { stack } = (await failure(call(at('desk_test.ts'), 'TestIt'))) as Error
    const line = before.split('\n').length + 1
    expect(stack).toContain(`${at('desk.ts')}:3:9`)
    expect(stack).toContain(`${at('desk_test.ts')}:${line}:3`)
  })

  it('are not shifted by the added code, which is one line and a tail', async () => {
    const at = await writeProject({ 'desk.ts': 'const a = 1', 'desk_test.ts': '' })
    const { prelude, tail } = createOpening(at('desk_test.ts'), 'function TestA() {}', true)
    expect(prelude).not.toContain('\n')
    expect(prelude).toContain('const {a}=')
    expect(tail).toContain('get TestA()')
    expect(createOpening(at('desk_test.ts'), 'function TestA() {}', false).prelude).toBe('')
  })
})

describe('imports of @yao/…', () => {
  it('refer to the globals', async () => {
    const test = `
      import { Process, type Context } from '@yao/runtime'
      import yao from '@yao/runtime'
      import * as all from "@yaoapps/anything"
      function TestIt() { return [Process === globalThis.Process, yao.Process === Process, all.Process === Process] }`
    expect(await run({ 'desk_test.ts': test })).toEqual([true, true, true])
  })

  it('that do not exist are undefined', async () => {
    const test = 'import { Shop } from "@yao/store"\nconst TestIt = () => typeof Shop'
    expect(await run({ 'desk_test.ts': test })).toBe('undefined')
  })
})
