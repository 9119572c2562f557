import { afterAll, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { findTests } from './find-tests.ts'

afterAll(removeProjects)

function find(source: string, file = '/nowhere/desk_test.ts') {
  const found = findTests(file, source)
  if ('problem' in found) throw found.problem
  return found
}

function names(source: string): string[] {
  return find(source).tests.map(({ name }) => name)
}

function problem(source: string, file = '/nowhere/desk_test.ts') {
  const found = findTests(file, source)
  if (!('problem' in found)) throw new Error(`found ${JSON.stringify(found)}`)
  return found.problem
}

describe('the tests of a file', () => {
  it('come in the order of the file, exported or not, with their lines', () => {
    const source = `
      export const TestB = async (t) => {}
      function TestA(t) {}

      const TestC = withDatabase((t) => {})
      export default function TestD() {}
      export { TestE, helper as TestF } from './shared'`
    expect(find(source).tests).toEqual([
      { name: 'TestB', line: 2 },
      { name: 'TestA', line: 3 },
      { name: 'TestC', line: 5 },
      { name: 'TestD', line: 6 },
      { name: 'TestE', line: 7 },
      { name: 'TestF', line: 7 },
    ])
  })

  it.each([
    ['CRLF', '// ü\r\n\r\nfunction TestA() {}\r\n', 3],
    ['a shebang', '#!/usr/bin/env viva\nfunction TestA() {}', 2],
    ['a byte order mark', '\ufeff\nfunction TestA() {}', 2],
    ['multi-byte characters', '/* 部屋\n👋🏽\né */ const ü = 1\nfunction TestA() {}', 4],
    ['imports over several lines', 'import {\n  Process,\n} from "@yao/runtime"\nfunction TestA() {}', 4],
    ['overloads', 'function TestA(t: 1): void\nfunction TestA(t: 2): void\nfunction TestA(t: unknown) {}', 3],
  ])('have the right line after %s', (_, source, line) => {
    expect(find(source).tests).toEqual([{ name: 'TestA', line }])
  })

  it.each<[string, string, string[]]>([
    ['functions with other names', 'function testA() {} function ATest() {} function helper() {}', []],
    ['TestMain', 'function TestMain(m) {} function TestA() {}', ['TestA']],
    ['data', 'export const TestData = { a: 1 }, TestUsers = names.map((name) => ({ name }))', []],
    [
      'classes and enums',
      'export class TestDesk {} enum TestKind { A } namespace TestSpace { export const a = 1 }',
      [],
    ],
    ['types', 'export interface TestCase {} export type TestKind = 1; type TestOther = 2', []],
    [
      'types in a list',
      'interface TestCase {} type TestKind = 1; export { type TestCase, type TestKind }',
      [],
    ],
    ['types in a list without the keyword', 'interface TestCase {} export { TestCase }', []],
    ['re-exported types', 'export type { TestCase } from "./x"; export { type TestKind } from "./y"', []],
    ['data under another name', 'const rows = [1]; export { rows as TestRows }', []],
    ['declarations', 'declare function TestA(): void; export declare const TestB: () => void', []],
    ['functions in a block', 'if (true) { function TestA() {} }', []],
    ['a namespace of another module', 'export * as TestAll from "./x"', []],
  ])('do not include %s', (_, source, expected) => {
    expect(names(source)).toEqual(expected)
  })

  it.each<[string, string, string[]]>([
    ['re-exported from an import', 'import { TestA } from "./x"; export { TestA }', ['TestA']],
    ['given another name', 'function check(t) {} export { check as TestCheck }', ['TestCheck']],
    ['given a name that is a text', 'function check(t) {} export { check as "Test it" }', ['Test it']],
    [
      'found twice',
      'export function TestA() {} export { TestA as TestB, TestA as default }',
      ['TestA', 'TestB'],
    ],
    ['destructured from a call', 'const { TestA, TestB } = suite((t) => {})', ['TestA', 'TestB']],
    ['declared several times', 'var TestA = () => 1; var TestA = () => 2', ['TestA']],
  ])('may be %s', (_, source, expected) => {
    expect(names(source)).toEqual(expected)
  })

  it('come with the offset of a top-level await', () => {
    const source = 'function TestA() {}\nconst a = await b'
    expect(find(source).firstAwait).toBe(source.indexOf('await'))
    expect(find('async function TestA() { await b }')).not.toHaveProperty('firstAwait')
  })
})

describe('a file that cannot be compiled', () => {
  it('is reported with its place and the lines around it', () => {
    const error = problem('// 部屋 👋\nfunction TestA() { const = 1 }\n')
    expect(error).toMatchObject({ name: 'ScriptLoadError', file: '/nowhere/desk_test.ts', line: 2 })
    expect(error.codeFrame).toContain('> 2 | function TestA() { const = 1 }')
  })

  it('is reported with the right place below imports that are replaced', () => {
    const source =
      'import { Process, type Context } from "@yao/runtime/with/a/long/name"\n\nconst a = 1\nconst a = 2'
    expect(problem(source)).toMatchObject({ line: 3, column: 7 })
    expect(problem(source).codeFrame).toContain('> 3 | const a = 1')
  })

  it('is reported for two declarations of one name', () => {
    expect(problem('const TestA = 1\nfunction TestA() {}').fault).toMatch(/TestA/)
  })
})

it('tests are found even when the tested file is broken', async () => {
  const at = await writeProject({ 'desk.ts': 'this is (no TypeScript', 'desk_test.ts': '' })
  expect(find('function TestA() {}', at('desk_test.ts')).tests).toEqual([{ name: 'TestA', line: 1 }])
})
