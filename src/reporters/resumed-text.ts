import type { RunStart } from '../results/summary.ts'
import { counted } from '../text/counted.ts'
import { oneLine } from './printable.ts'

const mostIds = 10

/** Of a run that goes on: what is there already, and which results do not count any more. */
export function resumedText({ resumed, leftOut }: RunStart): string[] {
  return [
    ...(resumed ? [`Resumed: ${counted(resumed, 'result is', 'results are')} there already`] : []),
    ...(leftOut ? [leftOutText(leftOut.map(([, id]) => id))] : []),
  ]
}

function leftOutText(all: readonly string[]): string {
  const ids = [...new Set(all)]
  const named = ids.slice(0, mostIds).map((id) => oneLine(id))
  const more = ids.length > mostIds ? ` and ${counted(ids.length - mostIds, 'more case')}` : ''
  const results = counted(all.length, 'result')
  return `Left out: ${results} of cases that were changed, or are not played now: ${named.join(', ')}${more}`
}
