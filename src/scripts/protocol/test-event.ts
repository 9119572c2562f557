import type { FailureReason, TestReport } from './report.ts'

/** What a run of tests tells as it goes. A phase is one of the functions around the tests: `BeforeAll`, `TestMain`… */
export type TestEvent =
  | { type: 'test_started'; name: string; sessionId: string }
  | { type: 'test_finished'; name: string; report: TestReport }
  | { type: 'phase_started'; name: string; sessionId: string }
  | { type: 'phase_finished'; name: string; reason?: FailureReason }
  /** A test that had ended left something behind that broke. */
  | { type: 'test_broke_later'; name: string; reason: FailureReason }
