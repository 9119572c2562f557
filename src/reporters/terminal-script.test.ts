import { describe, expect, it } from 'vitest'
import type { CaseResult } from '../results/result.ts'
import { createPen } from './pen.ts'
import { hostile, runStart, runSummary, scriptResult } from './script.fixture.ts'
import { blockLines } from './terminal-repeats.ts'
import { scriptBanner, scriptSummary, scriptTestBlock } from './terminal-script.ts'

const pen = createPen(false)

function lines(
  changes: Partial<CaseResult>,
  { several = false, verbose = false, which = '' } = {},
): string[] {
  const block = scriptTestBlock(scriptResult(changes), pen, { several, verbose })
  return blockLines(block, which, pen).map(({ text }) => text)
}

const dangerous = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** No line has control characters or line breaks in it. */
function expectInert(printed: string[]): void {
  for (const line of printed) expect(line).not.toMatch(dangerous)
  expect(printed.join('\n')).toContain('\\x1b[2J')
}

describe('the lines of a script test', () => {
  it('are short for a test that passed', () => {
    const logs = ['said']
    expect(lines({ logs })).toEqual(['► [TestSetup] ...', '  ✓ PASSED (12ms)', ''])
    expect(lines({ logs }, { verbose: true })).toEqual([
      '► [TestSetup] ...',
      '  ✓ PASSED (12ms)',
      '    │ said',
      '',
    ])
  })

  it('name the file and the run when there are several', () => {
    expect(lines({}, { several: true, which: ' (run 2)' })[0]).toBe(
      '► [TestSetup] expense/src/setup_test.ts (run 2) ...',
    )
  })

  it.each<[string, Partial<CaseResult>, string]>([
    ['failed', { status: 'failed' }, '  ✗ FAILED (12ms)'],
    [
      'failed for an infrastructure error',
      { status: 'failed', fault: 'infrastructure' },
      '  ✗ FAILED (12ms) infrastructure error',
    ],
    ['was skipped', { status: 'skipped' }, '  ○ SKIPPED (12ms)'],
    ['was interrupted', { status: 'interrupted' }, '  ⏹ STOPPED (12ms)'],
    ['asserts nothing', { unchecked: true }, '  ✓ PASSED (12ms) asserts nothing'],
    ['is flaky', { flaky: true }, '  ✓ PASSED (12ms) flaky'],
  ])('say that it %s', (_, changes, line) => {
    expect(lines(changes)[1]).toBe(line)
  })

  it('show every failed assertion once', () => {
    const finals = [
      {
        type: 'Equal',
        status: 'failed' as const,
        gates: true,
        reason: 'the total: expected 1, got "2\\n3"',
        expected: 1,
        actual: '2\n3',
        fields: { message: 'the total', at: 'src/setup_test.ts:7' },
      },
      { type: 'Nil', status: 'failed' as const, gates: true, reason: 'expected null', actual: null },
    ]
    const failure = { kind: 'assertion', message: 'the total: expected 1\nof several lines' }
    expect(lines({ status: 'failed', failure, finals }).slice(2)).toEqual([
      '    └─ assertion failed: the total',
      '       expected: 1',
      '       actual: "2\\n3"',
      '       at src/setup_test.ts:7',
      '    └─ assertion failed: expected null',
      '       actual: null',
      '',
    ])
  })

  it('show what ended the test, and the failed assertions before', () => {
    const finals = [{ type: 'True', status: 'failed' as const, gates: true, reason: 'expected true' }]
    const failure = { kind: 'script_error', message: 'unknown process "x"\n  t.mock("x")' }
    expect(lines({ status: 'failed', failure, finals }).slice(2)).toEqual([
      '    └─ unknown process "x"',
      '       t.mock("x")',
      '    └─ assertion failed: expected true',
      '',
    ])
  })

  it('show the reason when there is no assertion', () => {
    const failure = { kind: 'assertion', message: 'TestSetup/inner: expected 1' }
    expect(lines({ status: 'failed', failure })[2]).toBe('    └─ TestSetup/inner: expected 1')
  })

  it('show subtests and logs of a test that did not pass', () => {
    const subtests = [
      { name: 'a', status: 'passed' as const, durationMs: 1 },
      { name: 'b', status: 'failed' as const, durationMs: 2, reason: 'no' },
      { name: 'c', status: 'skipped' as const, durationMs: 0 },
    ]
    const failure = { kind: 'failed', message: 'no' }
    const shown = lines({ status: 'failed', failure, script: { assertions: 0, subtests }, logs: ['said'] })
    expect(shown.slice(3)).toEqual(['    ✓ a (1ms)', '    ✗ b (2ms): no', '    ○ c (0ms)', '    │ said', ''])
  })

  it('stay short for a very long failure', () => {
    const failure = {
      kind: 'script_error',
      message: Array.from({ length: 500 }, () => 'x'.repeat(5000)).join('\n'),
    }
    const shown = lines({ status: 'failed', failure, logs: ['y'.repeat(1_000_000)] })
    expect(shown.length).toBeLessThan(20)
    for (const line of shown) expect(line.length).toBeLessThan(520)
  })
})

describe('control characters are escaped', () => {
  const { key } = scriptResult()
  const check = {
    type: hostile,
    status: 'failed' as const,
    gates: true,
    reason: hostile,
    expected: { [hostile]: hostile },
    actual: hostile,
    fields: { message: hostile, at: hostile },
  }

  it.each<[string, Partial<CaseResult>]>([
    ['the name of a test', { key: { ...key, id: hostile } }],
    ['the name of a file', { key: { ...key, file: hostile } }],
    ['the name of a file of an agent', { key: { ...key, file: `assistants/${hostile}/src/x_test.ts` } }],
    ['a reason', { status: 'failed', failure: { kind: 'script_error', message: hostile } }],
    ['a reason to skip', { status: 'skipped', failure: { kind: 'skipped', message: hostile } }],
    ['a log', { logs: [hostile] }],
    [
      'a subtest',
      {
        script: {
          assertions: 0,
          subtests: [{ name: hostile, status: 'failed', durationMs: 1, reason: hostile }],
        },
      },
    ],
    ['an assertion', { status: 'failed', failure: { kind: 'assertion', message: hostile }, finals: [check] }],
  ])('in %s', (_, changes) => {
    expectInert(lines(changes, { several: true, verbose: true }))
  })

  it('in the banner', () => {
    const start = runStart({
      scripts: [{ file: hostile, tests: 1 }],
      environment: { userId: hostile, teamId: hostile, locale: hostile },
      origin: { kind: 'replayed', from: hostile },
    })
    expectInert(scriptBanner(start, pen).map(({ text }) => text))
  })

  it('but colours of viva stay', () => {
    const { body } = scriptTestBlock(scriptResult({ logs: [hostile] }), createPen(true), {
      several: false,
      verbose: true,
    })
    expect(body[0]?.text).toContain('\u001b[32m✓ PASSED\u001b[39m')
    expect(body[1]?.text.replace(/\u001b\[(?:2|22)m/g, '')).not.toMatch(dangerous)
  })
})

describe('a run of script tests', () => {
  it('has a banner with files, tests, user and team', () => {
    const start = runStart({
      scripts: [
        { file: 'assistants/expense/src/setup_test.ts', tests: 2 },
        { file: 'own_test.ts', tests: 1 },
      ],
      runs: 3,
    })
    expect(
      scriptBanner(start, pen)
        .map(({ text }) => text)
        .filter((text) => !/^[═─]/.test(text)),
    ).toEqual([
      '  Script Test: scripts.expense.setup, own_test.ts',
      '  Script: expense/src/setup_test.ts',
      '  Script: own_test.ts',
      '  Tests: 3 functions, 3 times',
      '  User: ada',
      '  Team: ops',
      '  Running Tests',
    ])
  })

  it('says in banner and summary that its results are not of a live run', () => {
    const start = runStart({ origin: { kind: 'graded', from: 'live.jsonl' } })
    expect(scriptBanner(start, pen).map(({ text }) => text)).toContain('  Graded from live.jsonl')
    expect(scriptSummary(runSummary({ origin: 'graded' }), pen, start).map(({ text }) => text)).toContain(
      '  ⚠ Graded from live.jsonl: not a live run, so no pass rate is computed',
    )
  })

  it('has a summary with counts and warnings', () => {
    const text = (changes: object) =>
      scriptSummary(runSummary(changes), pen)
        .map((line) => line.text)
        .filter((line) => !line.startsWith('═'))
    expect(text({})).toEqual(['  Summary: 2 passed, 0 failed, 0 skipped (1.2s)', ''])
    expect(
      text({
        passed: 1,
        failed: 2,
        skipped: 1,
        notRun: 1,
        interrupted: 1,
        infrastructureErrors: 1,
        unchecked: 2,
      }),
    ).toEqual([
      '  Summary: 1 passed, 1 failed, 1 skipped, 2 not run (1.2s)',
      '  ⚠ 1 infrastructure error: not a failure of the tested code',
      '  ⚠ 2 tests passed without an assertion (--require-checks makes that a failure)',
      '',
    ])
  })
})
