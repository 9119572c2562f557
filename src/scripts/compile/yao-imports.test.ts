import { describe, expect, it } from 'vitest'
import { replaceYaoImports } from './yao-imports.ts'

function replaced(source: string): string {
  return replaceYaoImports('/app/scripts/desk.ts', source)
}

describe('an import of @yao/…', () => {
  it.each<[string, string, string]>([
    [
      'names',
      'import { Process, http } from "@yao/runtime"',
      'const Process=globalThis["Process"],http=globalThis["http"];',
    ],
    ['another package', "import { Process } from '@yaoapps/x';", 'const Process=globalThis["Process"];'],
    ['names of its own', 'import { Process as run } from "@yao/runtime"', 'const run=globalThis["Process"];'],
    [
      'a text as name',
      'import { "odd name" as run } from "@yao/runtime"',
      'const run=globalThis["odd name"];',
    ],
    ['the default', 'import yao from "@yao/runtime"', 'const yao=globalThis;'],
    ['the default in a list', 'import { default as yao } from "@yao/runtime"', 'const yao=globalThis;'],
    ['everything', 'import * as yao from "@yao/runtime"', 'const yao=globalThis;'],
    [
      'two kinds',
      'import yao, { Process } from "@yao/runtime"',
      'const yao=globalThis,Process=globalThis["Process"];',
    ],
    [
      'values beside types',
      'import { type Context, Process } from "@yao/x"',
      'const Process=globalThis["Process"];',
    ],
    ['nothing', 'import "@yao/runtime"', ''],
    ['the TypeScript way', 'import yao = require("@yao/runtime")', 'const yao=globalThis;'],
  ])('of %s becomes a read of the global object', (_, source, expected) => {
    expect(replaced(source)).toBe(expected)
  })

  it('keeps the line numbers of what follows', () => {
    const source =
      'import {\n  Process,\r\n  // why\n  type Context,\n} from "@yao/runtime"; const a = 1\nconst b = 2'
    const result = replaced(source)
    expect(result.split('\n')).toHaveLength(source.split('\n').length)
    expect(result.split('\n')[4]).toBe(' const a = 1')
    expect(result.split('\n')[5]).toBe('const b = 2')
  })

  it('is replaced wherever and however often it occurs', () => {
    const source =
      '#!/x\r\n/* 部屋 👋 */ import { A } from "@yao/a"\r\nimport { b } from "./b"\r\nimport { C } from \'@yao/c\'\r\n'
    expect(replaced(source)).toBe(
      '#!/x\r\n/* 部屋 👋 */ const A=globalThis["A"];\r\nimport { b } from "./b"\r\nconst C=globalThis["C"];\r\n',
    )
  })

  it.each([
    'import type { Context } from "@yao/runtime"',
    'import { type Context } from "@yao/runtime"',
    'export type { Context } from "@yao/runtime"',
    'import { a } from "@yaourt/x"',
    'import { a } from "./@yao/x"',
    'const text = "@yao/runtime"',
    '// import { a } from "@yao/runtime"',
    'const text = `import { a } from "@yao/runtime"`',
  ])('is left alone when there is nothing to load: %s', (source) => {
    expect(replaced(source)).toBe(source)
  })
})
