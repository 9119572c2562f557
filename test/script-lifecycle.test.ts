import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, results, viva } from './support/viva.ts'

async function run(files: Record<string, string>, ...args: string[]) {
  const cwd = project(files)
  const ended = await viva(['test', ...args, '-o', 'x.jsonl'], { cwd })
  const lines = ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl'))
  return { ...ended, cwd, lines, outcomes: lines.map(({ id, status, error }) => [id, status, error]) }
}

describe('BeforeAll, BeforeEach, AfterEach, AfterAll and TestMain', () => {
  it('the functions around tests run in order', async () => {
    const { lines, exitCode } = await run(
      {
        'a_test.ts': `
          const steps = []
          function BeforeAll(ctx) { steps.push('BeforeAll ' + ctx.User.ID) }
          function BeforeEach(t) { steps.push('BeforeEach ' + t.name) }
          function AfterEach(t) { steps.push('AfterEach ' + t.name) }
          function AfterAll() { steps.push('AfterAll'); console.log(steps.join('|')) }
          async function TestMain(m) { steps.push('main'); await m.run(); steps.push('end') }
          export const TestA = async (t) => { t.cleanup(() => steps.push('cleanup')); steps.push('A'); t.assert.True(true) }
          export async function TestB(t) { t.assert.Equal(steps, ['main', 'BeforeAll test-user', 'BeforeEach TestA', 'A', 'AfterEach TestA', 'cleanup', 'BeforeEach TestB']) }`,
      },
      'a_test.ts',
    )
    expect(lines.map(({ id, status }) => [id, status])).toEqual([
      ['TestA', 'passed'],
      ['TestB', 'passed'],
    ])
    expect(exitCode).toBe(0)
  })

  it('what BeforeAll prints is in the log of the first test', async () => {
    const { lines } = await run(
      {
        'a_test.ts':
          'function BeforeAll() { console.log("ready") }\nfunction TestA(t) { t.log("own") }\nfunction TestB() {}\n',
      },
      'a_test.ts',
    )
    expect(lines.map(({ logs }) => logs)).toEqual([['ready', 'own'], undefined])
  })

  it('a BeforeAll that fails makes every test fail', async () => {
    const { outcomes, exitCode } = await run(
      {
        'a_test.ts':
          'function BeforeAll() { throw new Error("no db") }\nfunction TestA(t) {}\nfunction TestB(t) {}\n',
      },
      'a_test.ts',
    )
    expect(outcomes).toEqual([
      ['TestA', 'failed', 'BeforeAll: no db (a_test.ts:1)'],
      ['TestB', 'failed', 'BeforeAll: no db (a_test.ts:1)'],
    ])
    expect(exitCode).toBe(1)
  })

  it('an AfterAll that fails makes the last test fail', async () => {
    const { outcomes, stdout, exitCode } = await run(
      {
        'a_test.ts':
          'function AfterAll() { throw new Error("left over") }\nfunction TestA(t) { t.assert.True(true) }\n',
      },
      'a_test.ts',
    )
    expect(outcomes.at(-1)).toEqual(['TestA', 'failed', 'AfterAll: left over (a_test.ts:1)'])
    expect(stdout).toContain('0 passed, 1 failed')
    expect(exitCode).toBe(1)
  })

  it('a TestMain that does not call m.run() makes the tests fail', async () => {
    const { outcomes, exitCode } = await run(
      { 'a_test.ts': 'function TestMain() {}\nfunction TestA(t) {}\n' },
      'a_test.ts',
    )
    expect(outcomes).toEqual([
      ['TestA', 'failed', expect.stringContaining('TestMain: it ended without m.run()')],
    ])
    expect(exitCode).toBe(1)
  })
})

describe('results and discovery of tests', () => {
  it('skip, fail, fatal, error, throw and sub-tests give the right status and message', async () => {
    const { outcomes, exitCode } = await run(
      {
        'a_test.ts': `
          function TestSkip(t) { t.skip('not today'); t.assert.True(false) }
          function TestFail(t) { t.fail('by hand'); t.log('goes on') }
          function TestFatal(t) { t.fatal('the end'); throw new Error('never') }
          function TestError(t) { t.error('wrong', 1) }
          function TestThrow() { null.x }
          function TestSub(t) { t.run('a', (t) => t.assert.True(true)); t.run('b', (t) => t.assert.Equal(1, 2, 'one is one')) }
          function TestGo(t) { t.assert.Equal(1, 2); t.assert.Equal(3, 4, 'second') }`,
      },
      'a_test.ts',
    )
    expect(outcomes).toEqual([
      ['TestSkip', 'skipped', undefined],
      ['TestFail', 'failed', expect.stringContaining('by hand')],
      ['TestFatal', 'failed', expect.stringContaining('the end')],
      ['TestError', 'failed', expect.stringContaining('wrong 1')],
      ['TestThrow', 'failed', expect.stringMatching(/^TypeError: Cannot read.*\(a_test\.ts:6\)$/)],
      ['TestSub', 'failed', 'b: assertion failed: one is one'],
      ['TestGo', 'failed', 'assertion failed: expected 2, got 1'],
    ])
    expect(exitCode).toBe(1)
  })

  it('a test without an assertion passes as unchecked', async () => {
    const files = { 'a_test.ts': 'function TestA() {}\n' }
    const { lines, stdout, exitCode } = await run(files, 'a_test.ts')
    expect(lines).toMatchObject([{ status: 'passed', unchecked: true }])
    expect(stdout).toContain('1 test passed without an assertion')
    expect(exitCode).toBe(0)
  })

  it('--require-checks fails a test without an assertion', async () => {
    const files = {
      'a_test.ts': 'function TestA() {}\n',
    }
    expect((await run(files, 'a_test.ts', '--require-checks')).outcomes).toEqual([
      ['TestA', 'failed', 'it asserts nothing (--require-checks)'],
    ])
  })

  it('test functions are found however they are written, and nothing else is', async () => {
    const { stdout } = await run(
      {
        'a_test.ts': `
          import type { X } from '@yao/types'
          import { testing, Process } from '@yaoapps/runtime'
          export async function TestAsync(t: testing.T) { t.assert.True(true) }
          const TestArrow = (t) => t.assert.Equal(typeof Process, 'function'), other = 1
          const wrap = (body) => (t) => body(t)
          export const TestWrapped = wrap((t) => t.assert.True(true))
          enum TestEnum { A }
          const TestData = { a: 1 }
          // function TestComment(t) {}
          const text = 'function TestText(t) {}'
          class TestClass {}
          function notATest() { function TestInner() {} }
          export default function TestDefault(t) { t.assert.Equal(TestEnum.A, 0) }`,
      },
      'a_test.ts',
    )
    expect(stdout.match(/► \[\w+\]/g)).toEqual([
      '► [TestAsync]',
      '► [TestArrow]',
      '► [TestWrapped]',
      '► [TestDefault]',
    ])
    expect(stdout).toContain('4 passed')
  })
})

describe('imports of test files', () => {
  it('relative imports, tsconfig paths, packages and JSON files are resolved', async () => {
    const { stdout, stderr } = await run(
      {
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
        'lib/sum.ts': 'export const sum = (a: number, b: number) => a + b\n',
        'data.json': '{ "n": 3 }',
        'node_modules/pack/index.js': 'exports.pack = 5\n',
        'node_modules/pack/package.json': '{ "name": "pack" }',
        'own.ts': 'let count = 0\nexport function next() { count += 1; return count }\n',
        'own_test.ts': `
          import { sum } from '@lib/sum'
          import data from './data.json'
          import { pack } from 'pack'
          import { next } from './own'
          function TestA(t) { t.assert.Equal([sum(1, data.n), pack, next()], [4, 5, 1]) }`,
      },
      'own_test.ts',
    )
    expect(stdout, stderr).toContain('1 passed')
  })
})

describe('require in test files', () => {
  it('a test file that uses require still sees the functions of the file it tests', async () => {
    const { stdout, stderr } = await run(
      {
        'own.ts': 'function hidden() { return 1 }\n',
        'own_test.ts':
          "const path = require('node:path')\nfunction TestA(t) { t.assert.Equal([hidden(), path.basename('a/b')], [1, 'b']) }\n",
      },
      'own_test.ts',
    )
    expect(stdout, stderr).toContain('1 passed')
  })
})

describe('flags for script tests', () => {
  const many = {
    'a_test.ts': 'function TestA(t) { t.assert.True(false) }\nfunction TestB(t) { t.assert.True(true) }\n',
    'b_test.ts': 'function TestA(t) { t.assert.True(true) }\n',
  }

  it('several files may run at once, and the output tells them apart', async () => {
    const { stdout, lines } = await run(many, 'a_test.ts', 'b_test.ts', '--parallel', '2')
    expect(lines.map(({ file, id }) => `${file} ${id}`).sort()).toEqual([
      'a_test.ts TestA',
      'a_test.ts TestB',
      'b_test.ts TestA',
    ])
    expect(stdout).toContain('► [TestA] b_test.ts ...')
    expect(stdout).toContain('2 passed, 1 failed')
  })

  it('--fail-fast stops at the first failed test', async () => {
    const { outcomes } = await run(many, 'a_test.ts', 'b_test.ts', '--fail-fast')
    expect(outcomes).toEqual([
      ['TestA', 'failed', 'assertion failed: expected true, got false'],
      ['TestB', 'not_run', undefined],
      ['TestA', 'not_run', undefined],
    ])
  })

  const flaky = {
    'a_test.ts': `
      import { existsSync, writeFileSync } from 'node:fs'
      function TestA(t) { const seen = existsSync('seen'); writeFileSync('seen', ''); t.assert.True(seen) }
      function TestB(t) { t.assert.True(true) }`,
  }

  it('--retries plays a failed test again, which is flaky when it then passes', async () => {
    const retried = await run(flaky, 'a_test.ts', '--retries', '1')
    expect(retried.lines.map(({ id, status, attempt, flaky }) => [id, status, attempt, flaky])).toEqual([
      ['TestA', 'failed', 1, undefined],
      ['TestB', 'passed', 1, undefined],
      ['TestA', 'passed', 2, true],
    ])
    expect(retried.exitCode).toBe(0)
  })

  it('--runs plays every test several times', async () => {
    const repeated = await run(flaky, 'a_test.ts', '--runs', '3')
    expect(repeated.lines.map(({ id, run: number, status }) => [id, number, status])).toEqual([
      ['TestA', 1, 'failed'],
      ['TestB', 1, 'passed'],
      ['TestA', 2, 'passed'],
      ['TestB', 2, 'passed'],
      ['TestA', 3, 'passed'],
      ['TestB', 3, 'passed'],
    ])
    expect(repeated.exitCode).toBe(1)
  })

  it('every run starts with fresh modules', async () => {
    const counting = {
      'a_test.ts': 'let count = 0\nfunction TestA(t) { count += 1; t.assert.Equal(count, 1) }\n',
    }
    expect((await run(counting, 'a_test.ts', '--runs', '3')).stdout).toContain('3 passed')
  })

  it('every attempt starts with fresh modules', async () => {
    const failing = {
      'a_test.ts': 'let count = 0\nfunction TestA(t) { count += 1; t.assert.Equal(count, 2) }\n',
    }
    expect((await run(failing, 'a_test.ts', '--retries', '2')).stdout).toContain('0 passed, 1 failed')
  })

  it('--resume continues an interrupted run of script tests', async () => {
    const first = await run(many, 'a_test.ts', 'b_test.ts', '--fail-fast')
    const { exitCode } = await viva(['test', 'a_test.ts', 'b_test.ts', '--resume', 'x.jsonl'], {
      cwd: first.cwd,
    })
    const last = results(join(first.cwd, 'x.jsonl')).slice(3)
    expect(last.map(({ file, id, status }) => [file, id, status])).toEqual([
      ['a_test.ts', 'TestB', 'passed'],
      ['b_test.ts', 'TestA', 'passed'],
    ])
    expect(exitCode).toBe(1)
  })

  it('--list lists the tests', async () => {
    const { stdout, exitCode } = await viva(['test', 'a_test.ts', '--list'], { cwd: project(many) })
    expect(stdout).toBe('TestA\nTestB\n')
    expect(exitCode).toBe(0)
  })

  it('--coverage reports the covered lines', async () => {
    const { stdout, cwd } = await run(
      {
        'own.ts':
          'export function used(a: number) {\n  if (a > 1) return "big"\n  return "small"\n}\n\nfunction unused() {\n  return 1\n}\n',
        'own_test.ts': 'function TestA(t) { t.assert.Equal(used(2), "big") }\n',
      },
      'own_test.ts',
      '--coverage',
    )
    expect(stdout).toMatch(/own\.ts\s+33\.3%\s+50%\s+3-7/)
    const lcov = readFileSync(join(cwd, 'coverage/lcov.info'), 'utf8')
    expect(lcov).toContain('SF:own.ts\nFN:1,used\nFN:6,unused\n')
    expect(lcov).toContain('DA:2,1\nDA:3,0\nDA:7,0\n')
  })
})

describe('script tests beside cases', () => {
  it('script tests and cases share the run, the journal and the report', async () => {
    const { stdout, cwd, lines, exitCode } = await run(
      {
        'agent.ts': 'export default (input: string) => input\n',
        'cases.jsonl': jsonl({ id: 'echo', input: 'hi', expected: 'hi' }),
        'own_test.ts':
          'function TestA(t) { t.assert.True(true) }\nfunction TestB(t) { t.assert.Equal(1, 2) }\n',
      },
      '-i',
      'cases.jsonl',
      '-i',
      'own_test.ts',
      '-n',
      './agent.ts',
      '-o',
      'report.json',
    )
    expect(lines).toMatchObject([
      { id: 'echo', status: 'passed', variant: 'agent.ts' },
      { id: 'TestA', kind: 'script', status: 'passed', variant: 'scripts' },
      { id: 'TestB', kind: 'script', status: 'failed' },
    ])
    expect(stdout).toContain('Total:   3 tests')
    expect(stdout).toContain('► [TestB] own_test.ts ...\n')
    expect(stdout).toContain('at own_test.ts:2\n')
    const report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))
    expect(report.results.map(({ kind }: { kind?: string }) => kind)).toEqual([undefined, 'script', 'script'])
    expect(existsSync(join(cwd, 'coverage'))).toBe(false)
    expect(exitCode).toBe(1)
  })
})
