/** How messages call what a run is asked for: the same rules hold for flags and for options of the library. */
export interface OptionNames {
  auto: string
  /** A fixed number of runs. */
  fixed: string
  gate: string
  gateSuite: string
  gateStable: string
  confidence: string
  maxRuns: string
  baseline: string
  record: string
  replay: string
  /** With its value. */
  replayFile: string
  live: string
  replayMissing: string
  /** Its value with which missing calls are recorded. */
  addMissing: string
}

export const flagNames: OptionNames = {
  auto: '--runs auto',
  fixed: '--runs N',
  gate: '--gate',
  gateSuite: '--gate-suite',
  gateStable: '--gate-stable',
  confidence: '--confidence',
  maxRuns: '--max-runs',
  baseline: '--baseline',
  record: '--record',
  replay: '--replay',
  replayFile: '--replay FILE',
  live: '--live',
  replayMissing: '--replay-missing',
  addMissing: '--replay-missing live',
}
