import { describe, expect, it } from 'vitest'
import { type NamedPaths, whySkipped, whyUnwatched } from './unwatched.ts'

const nothing: NamedPaths = {
  outputs: [],
  read: new Set(),
  mentions: () => false,
  isWrittenByRun: () => false,
}
const why = (path: string, named: Partial<NamedPaths> = {}) =>
  whyUnwatched(`/app/${path}`, '/app', { ...nothing, ...named })

describe('files that are no reason to run again', () => {
  it.each([
    '.viva/runs/20260101000000.jsonl',
    '.viva/history.jsonl',
    'coverage/lcov.info',
    'tests/output-20260101000000.jsonl',
    'tests/output-20260101000000.jsonl.lock',
    'report.html.4711.part',
  ])('%s is written by viva', (path) => expect(why(path)).toBe('written by viva'))

  it.each([
    ['node_modules/zod/index.js', 'installed'],
    ['packages/a/node_modules/zod/index.js', 'installed'],
    ['package-lock.json', 'installed'],
    ['.git/index', 'hidden'],
    ['.vscode/settings.json', 'hidden'],
    ['.gitignore', 'hidden'],
    ['src/.agent.ts.swp', 'hidden'],
    ['src/agent.ts~', 'temporary'],
    ['src/4913', 'temporary'],
    ['server.log', 'temporary'],
    ['README.md', 'documentation'],
    ['assistants/expense/README.zh.md', 'documentation'],
    ['LICENSE', 'documentation'],
  ])('%s is %s', (path, expected) => expect(why(path)).toBe(expected))

  it('results under another name are written by viva', () => {
    expect(why('kept.jsonl', { isWrittenByRun: (path) => path === '/app/kept.jsonl' })).toBe(
      'written by viva',
    )
  })

  it('the files of -o and what is written beside them are written by viva', () => {
    const outputs = ['/app/out.jsonl', '/app/out.html']
    expect(['out.jsonl', 'out.jsonl.lock', 'out.html'].map((path) => why(path, { outputs }))).toEqual(
      Array(3).fill('written by viva'),
    )
  })
})

describe('files that are a reason to run again', () => {
  it.each([
    'viva.config.ts',
    '.env',
    '.env.local',
    'src/agent.mjs',
    'assistants/expense/prompts.yml',
    'assistants/expense/prompts/tone.md',
    'tests/orders.jsonl',
    'data/menu.json',
    'readme-agent/agent.ts',
    'src/security.ts',
    'data/authors.json',
    'dist/agent.js',
  ])('%s', (path) => expect(why(path)).toBeUndefined())

  it('a README that a case attaches', () => {
    expect(why('README.md', { mentions: (name) => name === 'README.md' })).toBeUndefined()
  })

  it('a file that the command names, wherever it is', () => {
    const read = new Set(['/app/.viva/failing.jsonl', '/app/node_modules/agent/index.js'])
    expect([...read].map((path) => whyUnwatched(path, '/app', { ...nothing, read }))).toEqual([
      undefined,
      undefined,
    ])
  })

  it('a file outside of the project that is imported', () => {
    expect(whyUnwatched('/shared/agent.ts', '/app', nothing)).toBeUndefined()
    expect(whySkipped('..')).toBeUndefined()
  })
})
