import type { CarriedOver } from '../results/carried-over.ts'
import { pluralize } from '../text/counted.ts'

/** For cases that did not run, because their last passes still hold. */
export function carriedText(count: number): string {
  return `${pluralize(count, 'case')} carried over: unchanged since ${count === 1 ? 'it' : 'they'} passed, not run`
}

/** Why one case has no result. */
export function carriedReason([, , , since]: CarriedOver): string {
  return `carried over: unchanged since it passed at ${since}, not run`
}

/** `variants`: of the run. With several, each case names its own. */
export function carriedTitle([, id, variant]: CarriedOver, variants: readonly string[]): string {
  return variants.length > 1 ? `${id} (${variant})` : id
}
