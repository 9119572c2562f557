import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
  'app/(shop)/cart.yaml',
  'app/[id]/page.yaml',
  ...['a', 'b', 'c', 'd', '0', '1', '2', '9', '10', '11', '09'].map((name) => `names/${name}.jsonl`),
]
for (const file of files) {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), '')
}
mkdirSync(join(cwd, 'links'))
symlinkSync(join(cwd, 'cases.jsonl'), join(cwd, 'links/cases.jsonl'))
symlinkSync(join(cwd, 'links'), join(cwd, 'links/again'))

describe('expandGlob', () => {
  it.each([
    ['src/**/*_test.ts', ['src/a_test.ts', 'src/deep/er/c_test.ts']],
    ['**/*_test.{ts,js}', ['src/a_test.ts', 'src/deep/d_test.js', 'src/deep/er/c_test.ts']],
    ['src/*_test.ts', ['src/a_test.ts']],
    ['src/?.ts', ['src/b.ts']],
    ['*.jsonl', ['cases.jsonl']],
    ['./src/*_test.ts', ['src/a_test.ts']],
    ['src/deep/**', ['src/deep/d_test.js', 'src/deep/er/c_test.ts']],
    ['names/[ab].jsonl', ['names/a.jsonl', 'names/b.jsonl']],
    ['names/[!a-c0-9].jsonl', ['names/d.jsonl']],
    ['names/{a..c}.jsonl', ['names/a.jsonl', 'names/b.jsonl', 'names/c.jsonl']],
    ['names/{9..11}.jsonl', ['names/10.jsonl', 'names/11.jsonl', 'names/9.jsonl']],
    ['names/{10..9}.jsonl', ['names/10.jsonl', 'names/9.jsonl']],
    ['names/{09..11}.jsonl', ['names/09.jsonl', 'names/10.jsonl', 'names/11.jsonl']],
    ['{src/deep,names}/[ad]*', ['names/a.jsonl', 'names/d.jsonl', 'src/deep/d_test.js']],
    ['app/(shop)/*.yaml', ['app/(shop)/cart.yaml']],
    ['app/*(shop)/*.yaml', ['app/(shop)/cart.yaml']],
    ['app/[id]/*.yaml', ['app/[id]/page.yaml']],
    ['src/.hidden/*_test.ts', ['src/.hidden/f_test.ts']],
    ['node_modules/**/*_test.ts', ['node_modules/x/e_test.ts']],
  ])('%s names files', (pattern, expected) => {
    expect(expandGlob(pattern, cwd)).toEqual(expected)
  })

  it('finds linked files, and does not go into linked folders', () => {
    expect(expandGlob('links/**/*.jsonl', cwd)).toEqual(['links/cases.jsonl'])
  })

  it('keeps absolute paths and paths above the current folder', () => {
    expect(expandGlob(`${cwd}/src/?.ts`, cwd)).toEqual([`${cwd}/src/b.ts`])
    expect(expandGlob('../deep/*', join(cwd, 'src/deep'))).toEqual(['../deep/d_test.js'])
  })

  it('is not the name of a file or folder that is there', () => {
    expect(expandGlob('app/[id]/page.yaml', cwd)).toBeUndefined()
    expect(expandGlob('app/[id]', cwd)).toBeUndefined()
  })

  it('is refused when it lists too many numbers', () => {
    expect(() => expandGlob('names/{1..99999}.jsonl', cwd)).toThrow('{1..99999} is more than 1000 numbers')
  })

  it('is told when no file matches', () => {
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
