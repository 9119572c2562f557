/** What a script test came to, as it leaves its worker. Plain JSON. */
export interface TestReport {
  status: 'passed' | 'failed' | 'skipped'
  /** The first reason it failed, or why it was skipped. */
  reason?: FailureReason
  /** Assertions that did not hold, in order; the first hundred. */
  failures: AssertionFailure[]
  /** How many assertions were made, those that held too; those of subtests are among them. */
  assertions: number
  subtests: SubtestReport[]
  durationMs: number
}

export interface FailureReason {
  /**
   * `assertion`: an assertion did not hold. `failed`: the test said so itself. `threw`: it, or one of the functions
   * around it, threw. `skipped`: it asked to be. `timeout`: its time was over. `crashed`: it ended its worker.
   */
  kind: 'assertion' | 'failed' | 'threw' | 'skipped' | 'timeout' | 'crashed'
  message: string
  /** Where in the user's code, as `file:line`. */
  at?: string
  /** What was thrown came from outside: the kind of an infrastructure error. */
  infrastructure?: string
}

export interface AssertionFailure {
  /** As it is called: `Equal`. */
  type: string
  /** One line: `expected 1, got 2`. */
  reason: string
  /** What the author wrote to it. */
  message?: string
  expected?: unknown
  actual?: unknown
  /** Where in the user's code, as `file:line`. */
  at?: string
}

export interface SubtestReport {
  /** `outer/inner` where they are nested. */
  name: string
  status: TestReport['status']
  reason?: FailureReason
  durationMs: number
}
