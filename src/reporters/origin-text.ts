import type { Origin } from '../results/result.ts'
import { oneLine } from './printable.ts'

/** As a run and its journal have it. */
interface WrittenOrigin {
  kind: Origin
  from: string
  live?: readonly string[] | undefined
}

/** What the results were made from, on one line: `replayed from demo.recording.jsonl (live: model)`. */
export function originText({ kind, from, live = [] }: WrittenOrigin): string {
  const again = live.length === 0 ? '' : ` (live: ${live.map((layer) => oneLine(layer, 40)).join(', ')})`
  return `${kind} from ${oneLine(from, 300)}${again}`
}

/** The same as the beginning of a line: `Replayed from …`. */
export function originHeading(origin: WrittenOrigin): string {
  const text = originText(origin)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** For reports that have no other place for it: `Replayed from …: not a live run, so …`. */
export function originNote(origin: WrittenOrigin): string {
  return `${originHeading(origin)}: ${originMeaning}`
}

export const originMeaning = 'not a live run, so no pass rate is computed'

/** Stands where a pass rate would be. */
export function noRateText(origin: Origin): string {
  return `not computed: the results are ${origin}, not of a live run`
}
