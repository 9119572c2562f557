import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { expandGlob } from './glob.ts'

const cwd = mkdtempSync(join(tmpdir(), 'viva-glob-'))
afterAll(() => rmSync(cwd, { recursive: true }))
const files = [
  'src/a_test.ts',
  'src/b.ts',
  'src/deep/er/c_test.ts',
  'src/deep/d_test.js',
  'node_modules/x/e_test.ts',
  'src/.hidden/f_test.ts',
  'cases.jsonl',
]
for (const file of files) {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), '')
}

describe('expandGlob', () => {
  it.each([
    ['src/**/*_test.ts', ['src/a_test.ts', 'src/deep/er/c_test.ts']],
    ['**/*_test.{ts,js}', ['src/a_test.ts', 'src/deep/d_test.js', 'src/deep/er/c_test.ts']],
    ['src/*_test.ts', ['src/a_test.ts']],
    ['src/?.ts', ['src/b.ts']],
    ['*.jsonl', ['cases.jsonl']],
    ['./src/*_test.ts', ['src/a_test.ts']],
    ['src/deep/**', ['src/deep/d_test.js', 'src/deep/er/c_test.ts']],
  ])('expands %s', (pattern, expected) => {
    expect(expandGlob(pattern, cwd)).toEqual(expected)
  })

  it('throws when no file matches', () => {
    expect(() => expandGlob('src/**/*.jsonl', cwd)).toThrow('no file matches src/**/*.jsonl')
  })

  it.each([
    'hello *there*',
    'why?',
    '2*3',
    'https://x.y/?a=b*',
    'cases.jsonl',
    '{"a": 1}',
    'scripts:a.b?focus=edge.cases',
  ])('does not treat %s as a pattern', (input) => {
    expect(expandGlob(input, cwd)).toBeUndefined()
  })
})
