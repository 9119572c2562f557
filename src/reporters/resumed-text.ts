import type { RunStart } from '../results/summary.ts'
import { pluralize } from '../text/counted.ts'
import { oneLine } from './printable.ts'

const mostIds = 10

/** For a resumed run: how many results exist already, and which of them no longer count. */
export function resumedText({ resumed, leftOut }: RunStart): string[] {
  return [
    ...(resumed ? [`Resumed: ${pluralize(resumed, 'result already exists', 'results already exist')}`] : []),
    ...(leftOut ? [leftOutText(leftOut.map(([, id]) => id))] : []),
  ]
}

function leftOutText(all: readonly string[]): string {
  const ids = [...new Set(all)]
  const named = ids.slice(0, mostIds).map((id) => oneLine(id))
  const more = ids.length > mostIds ? ` and ${pluralize(ids.length - mostIds, 'more case')}` : ''
  const results = pluralize(all.length, 'result')
  return `Left out: ${results} of cases that were changed or are no longer selected: ${named.join(', ')}${more}`
}
