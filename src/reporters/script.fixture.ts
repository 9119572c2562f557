import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'

export function scriptResult(changes: Partial<CaseResult> = {}): CaseResult {
  return caseResult({
    key: {
      file: 'assistants/expense/src/setup_test.ts',
      id: 'TestSetup',
      variant: 'scripts',
      run: 1,
      attempt: 1,
    },
    script: { assertions: 1, subtests: [] },
    sessionId: 's1',
    durationMs: 12.4,
    ...changes,
  })
}

export function runStart(changes: Partial<RunStart> = {}): RunStart {
  return {
    vivaVersion: '0.0.0',
    timestamp: '2026-01-01T00:00:00.000Z',
    planHash: 'p',
    totalCases: 2,
    agentId: '',
    variants: ['scripts'],
    runs: 1,
    environment: { userId: 'ada', teamId: 'ops', locale: 'en-us' },
    scripts: [{ file: 'assistants/expense/src/setup_test.ts', tests: 2 }],
    ...changes,
  }
}

export function runSummary(changes: Partial<RunSummary> = {}): RunSummary {
  return {
    total: 2,
    passed: 2,
    failed: 0,
    skipped: 0,
    expectedFailures: 0,
    interrupted: 0,
    notRun: 0,
    unchecked: 0,
    infrastructureErrors: 0,
    infrastructureSkips: 0,
    vivaFailures: 0,
    flaky: 0,
    totalTurns: 0,
    durationMs: 1234.5,
    usage: {},
    ...changes,
  }
}

/** Printed as it is, this would colour text, move the cursor, set the title, reorder text, or fake a line of viva's. */
export const hostile =
  'a\u001b[2J\u001b]0;pwned\u0007\r\n  ✓ PASSED\u0000\u202eb\u009b31m\u2028c\nnext\u0085\v\f'
