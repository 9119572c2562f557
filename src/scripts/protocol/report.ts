/** The result of a script test, as it leaves its worker. Plain JSON. */
export interface TestReport {
  status: 'passed' | 'failed' | 'skipped'
  /** The first reason why it failed, or why it was skipped. */
  reason?: FailureReason
  /** Assertions that failed, in order; the first hundred. */
  failures: AssertionFailure[]
  /** How many assertions were made, including those that passed and those of subtests. */
  assertions: number
  subtests: SubtestReport[]
  durationMs: number
}

export interface FailureReason {
  /**
   * `assertion`: an assertion failed. `failed`: the test said so itself. `threw`: it, or one of the functions around it,
   * threw. `skipped`: it skipped itself. `timeout`: it ran out of time. `crashed`: it ended its worker.
   */
  kind: 'assertion' | 'failed' | 'threw' | 'skipped' | 'timeout' | 'crashed'
  message: string
  /** Where in the user's code, as `file:line`. */
  at?: string
  /** The kind of an infrastructure error that was thrown. */
  infrastructure?: string
}

export interface AssertionFailure {
  /** The name of the assertion: `Equal`. */
  type: string
  /** One line: `expected 1, got 2`. */
  reason: string
  /** The author's own message. */
  message?: string
  expected?: unknown
  actual?: unknown
  /** Where in the user's code, as `file:line`. */
  at?: string
}

export interface SubtestReport {
  /** `outer/inner` for nested subtests. */
  name: string
  status: TestReport['status']
  reason?: FailureReason
  durationMs: number
}
