/** `unknown`: it could not be judged. `error`: judging failed. Neither counts as passed. */
export type CheckStatus = 'passed' | 'failed' | 'unknown' | 'error'

/** The result of a check. */
export interface CheckResult {
  type: string
  status: CheckStatus
  /** Whether the verdict of the case depends on it. */
  gates: boolean
  /** One line for people. */
  reason: string
  expected?: unknown
  actual?: unknown
  score?: number
  /** More about the verdict of a judge: suggestions, findings by criterion. */
  details?: Record<string, unknown>
  /** It failed because there was nothing to judge; a negated group needs to know that. */
  nothingThere?: true
  /** It passed without a comparison, because it wrote the snapshot: a pass of nothing else is unchecked. */
  unchecked?: true
  /** The fields that the author wrote, for reports (`value`, `name`, `path`…). */
  fields?: Record<string, unknown>
}

/** Whether a check fails its turn or case. One that could not be judged does, too. */
export function fails({ gates, status }: CheckResult): boolean {
  return gates && status !== 'passed'
}
