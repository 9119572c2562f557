import type { GateOutcome } from '../results/gates.ts'
import { pluralize } from '../text/counted.ts'

/** The result of a gate, on one line. */
export function gateText(outcome: GateOutcome): string {
  return `${gateName(outcome)}: ${gateResultText(outcome)}`
}

/** The result of a gate, without its name. */
export function gateResultText(outcome: GateOutcome): string {
  const { gate, status, reached = 0, missed = 0, undecided = 0, unjudged = 0, carried_over = 0 } = outcome
  const notJudged = [
    ...(unjudged === 0 ? [] : [`${unjudged} not judged`]),
    ...(carried_over === 0 ? [] : [`without ${carried_over} carried over`]),
  ]
  if (gate === 'suite') {
    const { rate, interval } = outcome
    const found =
      rate === undefined || interval === undefined
        ? 'nothing could be judged'
        : `${rate}% (${interval.low}–${interval.high}%), ${status}`
    return [found, ...notJudged].join(', ')
  }
  const cases = reached + missed + undecided + unjudged
  return [
    `reached by ${reached} of ${pluralize(cases, 'case')}`,
    ...(missed === 0 ? [] : [`missed by ${missed}`]),
    ...(undecided === 0 ? [] : [`undecided for ${undecided}`]),
    ...notJudged,
  ].join(', ')
}

export function gateName({ gate, variant, required }: GateOutcome): string {
  if (gate === 'stable') return 'stable'
  return `${gate} ${formatShare(required)}${variant === undefined ? '' : ` of ${variant}`}`
}

/** `0.95` becomes `95%`. */
export function formatShare(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`
}
