import type { GateOutcome } from '../results/gates.ts'

/** What came of each gate, in a line. */
export function gateText({
  gate,
  required,
  reached = 0,
  missed = 0,
  undecided = 0,
  rate,
  interval,
}: GateOutcome): string {
  if (gate === 'suite')
    return rate === undefined || interval === undefined
      ? `suite ${percent(required)}: nothing could be judged`
      : `suite ${percent(required)}: ${rate}% (${interval.low}–${interval.high}%)`
  const wanted = gate === 'stable' ? 'stable' : `case ${percent(required)}`
  const rest = [
    ...(missed === 0 ? [] : [`missed by ${missed}`]),
    ...(undecided === 0 ? [] : [`undecided for ${undecided}`]),
  ].join(', ')
  const cases = reached + missed + undecided
  return `${wanted}: reached by ${reached} of ${cases} ${cases === 1 ? 'case' : 'cases'}${rest === '' ? '' : `, ${rest}`}`
}

/** 0 to 1, as people say it. */
export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}
