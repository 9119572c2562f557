/** The first line of a journal: what is about to be played, and as whom. */
export interface RunStart {
  schemaVersion: number
  vivaVersion: string
  timestamp: string
  planHash: string
  totalCases: number
  agentId: string
  connector?: string
  variants: string[]
  runs: number
  /** How many results an interrupted run had left, when this one goes on with it. */
  resumed?: number
  environment: { userId: string; teamId: string; locale: string }
}

/** The last line: counts of what happened, recomputed from the lines between. */
export interface RunSummary {
  total: number
  passed: number
  failed: number
  skipped: number
  interrupted: number
  notRun: number
  unchecked: number
  flaky: number
  worldFailures: number
  durationMs: number
}
