import { describe, expect, it } from 'vitest'
import { parseTopLevel } from './top-level.ts'

function read(source: string, file = '/scripts/desk.ts') {
  return parseTopLevel(file, source)
}

function declaredIn(source: string): string[] {
  return read(source).declared.map(({ name }) => name)
}

function callableIn(source: string): string[] {
  return read(source).declared.flatMap(({ name, callable }) => (callable ? name : []))
}

function exportedIn(source: string): string[] {
  return read(source).exports.map(({ name }) => name)
}

describe('the declarations of a module', () => {
  it.each<[string, string, string[]]>([
    ['functions of all kinds', 'function a() {} async function b() {} function* c() {}', ['a', 'b', 'c']],
    ['variables of all kinds', 'const a = 1, b = 2; let c; var d: number', ['a', 'b', 'c', 'd']],
    ['classes', 'class A {} abstract class B {} @tag class C {}', ['A', 'B', 'C']],
    ['enums', 'enum A { X } const enum B { Y }', ['A', 'B']],
    ['namespaces', 'namespace A { export const x = 1 }', ['A']],
    ['exported values', 'export const a = 1; export function b() {} export class C {}', ['a', 'b', 'C']],
    ['a default export with a name', 'export default function a() {}', ['a']],
    ['a class as default export', 'export default abstract class A {}', ['A']],
    ['destructured objects', 'const { a, b: c, d = 1, e: { f }, ...g } = x', ['a', 'c', 'd', 'f', 'g']],
    ['destructured lists', 'const [a, , [b], { c }, d = 1, ...[e]] = x', ['a', 'b', 'c', 'd', 'e']],
    [
      'names in other scripts',
      'const größe = 1, 部屋 = 2, $ = 3, \\u0061b = 4',
      ['größe', '部屋', '$', 'ab'],
    ],
    ['resources', 'using a = open()', ['a']],
  ])('include %s', (_, source, names) => {
    expect(declaredIn(source)).toEqual(names)
  })

  it.each([
    ['types', 'interface A {} type B = 1; export type C = 2; export interface D {}'],
    ['ambient declarations', 'declare const a: 1; declare function b(): void; declare class C {}'],
    ['ambient enums', 'declare enum A { X } declare const enum B { Y }'],
    ['ambient modules', 'declare module "x" { const a: 1 } declare namespace N {}'],
    ['additions to the global scope', 'declare global { var a: number } export {}'],
    ['default exports without a name', 'export default function () {}'],
    ['declarations in a block', 'if (x) { const a = 1 } { let b }'],
    ['declarations in a function', '(() => { const a = 1 })()'],
    ['nothing', ''],
  ])('do not include %s', (_, source) => {
    expect(declaredIn(source)).toEqual([])
  })

  it('have the implementation of an overloaded function, not its signatures', () => {
    const source = 'function a(x: string): void\nfunction a(x: number): void\nfunction a(x: unknown) {}'
    expect(read(source).declared).toEqual([{ name: 'a', offset: source.lastIndexOf('a(x'), callable: true }])
  })

  it.each([
    ['after multi-byte characters', '/* é 部 👋🏽 */ const ü = 1'],
    ['after a byte order mark', '\ufeffconst ü = 1'],
    ['after a shebang', '#!/usr/bin/env 👋\nconst ü = 1'],
    ['after CRLF', '\r\n\r\nconst ü = 1\r\n'],
  ])('have the right offset %s', (_, source) => {
    expect(read(source).declared).toMatchObject([{ offset: source.indexOf('ü') }])
  })

  it.each([
    ['.js', 'const a = async () => 1'],
    ['.jsx', 'const a = () => <b/>'],
    ['.tsx', 'const a = (): unknown => <b/>'],
    ['.mts', 'const a = <T,>(x: T) => x'],
    ['.cts', 'const a = <T>(x: T) => x'],
    ['.cjs', 'const a = () => 1; module.exports = { a }'],
    ['.mjs', 'export const a = () => 1'],
  ])('are read in a %s file', (extension, source) => {
    expect(read(source, `/scripts/desk${extension}`).declared).toMatchObject([{ name: 'a', callable: true }])
  })
})

describe('a declaration looks like a function', () => {
  it.each([
    'function a() {}',
    'const a = function () {}',
    'const a = async () => {}',
    'const a = (async () => {}) satisfies Test',
    'const a = (() => {}) as unknown as Test',
    'const a = <Test>(() => {})',
    'const a = (() => {})!',
    'const a = withDatabase((t) => {})',
    'const a = suite.with(options, async function () {})',
    'const a = twice(withDatabase((t) => {}))',
    'const a = each([1, 2])((t) => {})',
    'const a = process.env.CI ? skipped : (t) => {}',
    'const a = given ?? (() => {})',
    'const a = await withDatabase((t) => {})',
  ])('for: %s', (source) => {
    expect(callableIn(source)).toEqual(['a'])
  })

  it.each([
    'class a {}',
    'enum a { X }',
    'const a = 1',
    'let a',
    'const a = { run: () => 1 }',
    'const a = [() => 1]',
    'const a = new Desk(() => 1)',
    'const a = load()',
    'const a = names.map((name) => ({ name }))',
    'const a = Array.from({ length: 3 }, (_, index) => index)',
    'const a = rows.filter((row) => row.open).reduce((sum, row) => sum + row.total, 0)',
  ])('but not for: %s', (source) => {
    expect(declaredIn(source)).toEqual(['a'])
    expect(callableIn(source)).toEqual([])
  })
})

describe('the imports of a module', () => {
  it('have a local and an imported name', () => {
    const source = `import a, { b, c as d, default as e, "odd name" as f } from './x'\nimport g, * as h from "y"`
    expect(read(source).imports).toMatchObject([
      {
        from: './x',
        start: 0,
        end: source.indexOf('\n'),
        names: [
          { local: 'a', imported: 'default' },
          { local: 'b', imported: 'b' },
          { local: 'd', imported: 'c' },
          { local: 'e', imported: 'default' },
          { local: 'f', imported: 'odd name' },
        ],
      },
      {
        from: 'y',
        names: [
          { local: 'g', imported: 'default' },
          { local: 'h', imported: '*' },
        ],
      },
    ])
  })

  it('include imports for side effects and TypeScript requires', () => {
    expect(read(`import './x'\nimport y = require('./y')`).imports).toMatchObject([
      { from: './x', names: [] },
      { from: './y', names: [{ local: 'y', imported: '*' }] },
    ])
  })

  it('do not include types', () => {
    const source = `
      import type { A } from './a'
      import type B from './b'
      import { type C, type D as E } from './c'
      import type F = require('./f')
      import { type G, h } from './g'`
    expect(read(source).imports).toMatchObject([{ from: './g', names: [{ local: 'h', imported: 'h' }] }])
  })
})

describe('the exports of a module', () => {
  it.each<[string, string, string[]]>([
    ['declarations', 'export const a = 1, { b } = x; export function c() {}', ['a', 'b', 'c']],
    ['lists', 'const a = 1; export { a, a as b }', ['a', 'b']],
    ['re-exports', 'export { a, default as b } from "./x"', ['a', 'b']],
    ['texts as names', 'const a = 1; export { a as "Test it" }', ['Test it']],
    ['defaults', 'export default 1', ['default']],
    ['defaults in a list', 'const a = 1; export { a as default }', ['default']],
  ])('include %s', (_, source, names) => {
    expect(exportedIn(source)).toEqual(names)
  })

  it.each([
    ['types', 'export type A = 1; export interface B {}; export type { C }; export { type D } from "./x"'],
    ['ambient declarations', 'export declare function a(): void; export declare const b: 1'],
    [
      'whatever another module has',
      'export * from "./x"; export * as all from "./y"; export type * from "./z"',
    ],
  ])('do not include %s', (_, source) => {
    expect(exportedIn(source)).toEqual([])
  })

  it('have their local name, if there is one', () => {
    const source = 'const a = 1; export { a as b }; export { c } from "./x"; export const d = 1'
    expect(read(source).exports).toMatchObject([
      { name: 'b', local: 'a' },
      { name: 'c', offset: source.indexOf('c }') },
      { name: 'd', local: 'd' },
    ])
    expect(read(source).exports[1]).not.toHaveProperty('local')
  })
})

describe('the first await of a top level', () => {
  it.each([
    'const a = 1\nHERE await x',
    'const a = HERE await x, b = await y',
    'export const a = HERE await x',
    'export default HERE await x',
    'HERE for await (const a of b) {}',
    'HERE await using a = b',
    'if (a) { for (const b of HERE await c) {} }',
    'try { HERE await a } finally { await b }',
    '/* 👋 */ @tag(HERE await x) class A {}',
    'const a = { b: [HERE await c] }',
    'const a = `${HERE await b}`',
    'const later = async () => { await a }\nHERE await b',
  ])('is found in: %s', (marked) => {
    const offset = marked.indexOf('HERE ')
    expect(read(marked.replace('HERE ', '')).firstAwait).toBe(offset)
  })

  it.each([
    'async function a() { await b }',
    'const a = async () => await b',
    'const a = { async b() { await c } }',
    'class A { async b() { await c } static async d() { await e } f = async () => { await g } }',
    'export default async () => { await a }',
    'export async function* a() { for await (const b of c) {} }',
    '// await\nconst a = "await b"',
    'for (const a of b) {}',
  ])('is absent in: %s', (source) => {
    expect(read(source)).not.toHaveProperty('firstAwait')
  })
})

it('a file that cannot be parsed declares nothing', () => {
  expect(read('const = 1; function (')).toMatchObject({ declared: [], imports: [], exports: [] })
})
