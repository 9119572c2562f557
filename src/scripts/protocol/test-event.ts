import type { FailureReason, TestReport } from './report.ts'

/** Progress of a run of tests. A phase is one of the functions around the tests: `BeforeAll`, `TestMain`… */
export type TestEvent =
  | { type: 'test_started'; name: string; sessionId: string }
  | { type: 'test_finished'; name: string; report: TestReport }
  | { type: 'phase_started'; name: string; sessionId: string }
  | { type: 'phase_finished'; name: string; reason?: FailureReason }
  /** Something broke that an ended test had left running. */
  | { type: 'test_broke_later'; name: string; reason: FailureReason }
