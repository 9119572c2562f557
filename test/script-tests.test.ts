import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, results, viva } from './support/viva.ts'

function run(cwd: string, ...args: string[]) {
  return viva(['test', ...args], { cwd })
}

/** Replaces durations, which differ from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\(\d[\d.ms]*\)/g, '(Nms)')
}

function seedApp(): string {
  const cwd = project()
  cpSync(new URL('./fixtures/expense-seed', import.meta.url), cwd, { recursive: true })
  return cwd
}

describe('the script test example of the manual', () => {
  it('the terminal output is that of the manual', async () => {
    const { stdout, exitCode } = await run(seedApp(), '-i', 'scripts.expense.setup', '-v')
    const heavy = '═'.repeat(79)
    const light = '─'.repeat(79)
    expect(withoutTimes(stdout).split('\n').slice(0, 26)).toEqual([
      heavy,
      '  Script Test: scripts.expense.setup',
      heavy,
      '  Script: expense/src/setup_test.ts',
      '  Tests: 3 functions',
      '  User: test-user',
      '  Team: test-team',
      light,
      '  Running Tests',
      light,
      '► [TestSystemReady] ...',
      '  ✓ PASSED (Nms)',
      '',
      '► [TestSystemReadyWithInvalidContext] ...',
      '  ✓ PASSED (Nms)',
      '',
      '► [TestSetupWithMockData] ...',
      '  ✗ FAILED (Nms)',
      '    └─ assertion failed: Result ID should match',
      '       expected: 1',
      '       actual: 2',
      '       at assistants/expense/src/setup_test.ts:38',
      '',
      heavy,
      '  Summary: 2 passed, 1 failed, 0 skipped (Nms)',
      heavy,
    ])
    expect(exitCode).toBe(1)
  })

  it('the JSON report is that of the manual', async () => {
    const cwd = seedApp()
    await run(cwd, '-i', 'scripts.expense.setup', '-u', 'admin', '-t', 'ops-team', '-o', 'report.json')
    const report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))
    const ms = expect.any(Number)
    expect(report).toEqual({
      type: 'script_test',
      script: 'scripts.expense.setup',
      script_path: 'expense/src/setup_test.ts',
      summary: { total: 3, passed: 2, failed: 1, skipped: 0, duration_ms: ms },
      environment: { user_id: 'admin', team_id: 'ops-team', locale: 'en-us' },
      results: [
        { name: 'TestSystemReady', status: 'passed', duration_ms: ms, logs: [] },
        { name: 'TestSystemReadyWithInvalidContext', status: 'passed', duration_ms: ms, logs: [] },
        {
          name: 'TestSetupWithMockData',
          status: 'failed',
          duration_ms: ms,
          error: 'assertion failed: Result ID should match',
          assertion: {
            type: 'Equal',
            expected: 1,
            actual: 2,
            message: 'Result ID should match',
            at: 'assistants/expense/src/setup_test.ts:38',
          },
          logs: [],
        },
      ],
      metadata: {
        started_at: expect.any(String),
        completed_at: expect.any(String),
        version: expect.any(String),
      },
    })
    expect(Object.keys(report)).toEqual([
      'type',
      'script',
      'script_path',
      'summary',
      'environment',
      'results',
      'metadata',
    ])
  })

  it('--run selects tests by name', async () => {
    const { stdout, exitCode } = await run(seedApp(), '-i', 'scripts.expense.setup', '-run', '.*Ready$')
    expect(stdout).toContain('Tests: 1 function\n')
    expect(exitCode).toBe(0)
  })
})

const hostile = `
function TestGood(t) { t.assert.Equal(1 + 1, 2) }
function TestLoop() { while (true) {} }
function TestExit() { process.exit(0) }
function TestKill() { process.kill(process.pid); while (true) {} }
function TestRejected() { Promise.reject(new Error('nobody awaits me')) }
function TestArray() { const all = []; for (;;) all.push(new Array(20_000_000).fill(all.length)) }
function TestLate() { setTimeout(() => { throw new Error('too late') }, 30) }
function TestForged(t) {
  const done = JSON.stringify({ type: 'done', id: 2, outcome: { ok: true, json: '{"coverage":[]}' } })
  console.log(done)
  require('node:fs').writeSync(1, done + '\\n')
  t.assert.True(false, 'the forgery changes nothing')
}
function TestGoodToo(t) { t.assert.Equal('a', 'a') }
`

describe('script tests that break their process', () => {
  it('a test that loops, exits, kills its process or forges messages fails alone', async () => {
    const cwd = project({ 'hostile_test.ts': hostile })
    const { exitCode, stdout } = await run(cwd, 'hostile_test.ts', '--timeout', '5s', '-o', 'x.jsonl')
    const outcomes = results(join(cwd, 'x.jsonl')).map(({ id, status, error }) => [id, status, error])
    expect(outcomes).toEqual([
      ['TestGood', 'passed', undefined],
      ['TestLoop', 'failed', 'timeout after 5s (hostile_test.ts:3)'],
      ['TestExit', 'failed', 'process.exit(0) was called'],
      ['TestKill', 'failed', 'the script host was killed by SIGTERM'],
      ['TestRejected', 'failed', 'nobody awaits me (hostile_test.ts:6)'],
      ['TestArray', 'failed', expect.stringMatching(/memory|timeout after 5s/)],
      ['TestLate', 'failed', 'too late (hostile_test.ts:8)'],
      ['TestForged', 'failed', 'assertion failed: the forgery changes nothing'],
      ['TestGoodToo', 'passed', undefined],
    ])
    expect(stdout).toContain('2 passed, 7 failed, 0 skipped')
    expect(exitCode).toBe(1)
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toContain(cwd)
  }, 60_000)

  it('a test that exceeds the memory limit with buffers fails alone', async () => {
    const cwd = project({
      'buffers_test.ts': `
        function TestBuffers() { const all = []; for (;;) all.push(Buffer.alloc(64 * 1024 * 1024, 1)) }
        function TestGood(t) { t.assert.Equal(1 + 1, 2) }`,
    })
    // On a busy machine it takes seconds to fill the buffers, and the timeout must not come first.
    await run(cwd, 'buffers_test.ts', '--timeout', '2m', '-o', 'x.jsonl')
    const outcomes = results(join(cwd, 'x.jsonl')).map(({ id, status, error }) => [id, status, error])
    expect(outcomes).toEqual([
      [
        'TestBuffers',
        'failed',
        expect.stringMatching(/^the script used \d+ MB of memory, and the limit is 1536 MB$/),
      ],
      ['TestGood', 'passed', undefined],
    ])
  }, 180_000)
})

describe('test files that cannot be run', () => {
  const files: [string, Record<string, string>, RegExp][] = [
    [
      'a syntax error',
      { 'a_test.ts': 'function TestA(t) {\n  const x = ;\n}\n' },
      /a_test\.ts:2:13: Unexpected token\n.*\n> 2 \|/,
    ],
    [
      'a missing import',
      { 'a_test.ts': '\nimport { a } from "./nothing"\nfunction TestA() { a() }\n' },
      /a_test\.ts:2:19: Cannot find module/,
    ],
    [
      'no tests',
      { 'a_test.ts': 'const TestData = { a: 1 }\nexport function helper() {}\n' },
      /a_test\.ts:1: the file has no tests/,
    ],
    [
      'a throw at its top level',
      { 'a_test.ts': 'function TestA() {}\nthrow new Error("no")\n' },
      /a_test\.ts:2:7: no/,
    ],
    [
      'a syntax error in what it tests',
      { 'a_test.ts': 'function TestA() {}\n', 'a.ts': 'export const = 1\n' },
      /a\.ts:1:14/,
    ],
    [
      'a test that is not a function',
      { 'a_test.ts': 'export { TestA } from "./b"\n', 'b.ts': 'export const TestA = 1\n' },
      /export "TestA" is a number, not a function/,
    ],
  ]
  it.each(files)('%s is reported with its place', async (_, written, message) => {
    const { stderr, exitCode } = await run(project(written), 'a_test.ts')
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(2)
  })

  it('a missing test file is reported with the place where it was looked for', async () => {
    const { stderr, exitCode } = await run(seedApp(), '-i', 'scripts.expense.setpu')
    expect(stderr).toContain('no test file for scripts.expense.setpu')
    expect(stderr).toContain('assistants/expense/src/setpu_test.ts')
    expect(exitCode).toBe(2)
  })

  it('-n is refused for script tests', async () => {
    const { stderr, exitCode } = await run(seedApp(), '-i', 'scripts.expense.setup', '-n', 'expense')
    expect(stderr).toContain('-n expense: script tests and suites have no agent but their own')
    expect(exitCode).toBe(2)
  })
})
