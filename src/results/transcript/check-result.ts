/** `unknown`: it could not be judged. `error`: judging broke. Neither ever counts as passed. */
export type CheckStatus = 'passed' | 'failed' | 'unknown' | 'error'

export interface CheckResult {
  type: string
  status: CheckStatus
  /** Whether the verdict of the case depends on it. */
  gates: boolean
  /** One line for a person. */
  reason: string
  expected?: unknown
  actual?: unknown
  score?: number
  /** More of what a judge said: suggestions, findings by criterion. */
  details?: Record<string, unknown>
  /** It failed for there was nothing to judge; a group that is negated must know. */
  nothingThere?: true
  /** The fields the author wrote, so that reports can show them (`value`, `name`, `path`…). */
  fields?: Record<string, unknown>
}

/** What fails its turn, or its case: also what could not be judged. */
export function fails({ gates, status }: CheckResult): boolean {
  return gates && status !== 'passed'
}
