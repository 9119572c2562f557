import { dollars } from '../dollars.ts'
import { shortTime } from '../duration.ts'
import { passRate } from '../results/tally.ts'
import { totalCost } from '../results/usage.ts'
import { oneLine } from './printable.ts'
import type { Render } from './report.ts'
import { outcomeOf, reasonOf } from './shown-result.ts'

/** A few lines of text: how many, and which did not pass. */
export const summaryReport: Render = async function* ({ start, summary }, results) {
  const { total, passed, failed, skipped, worldFailures, flaky, durationMs, usage } = summary
  const rate = passRate(summary)
  const cost = totalCost(usage)
  yield `viva: ${oneLine(start.agentId || 'script tests')}: ${passed} of ${total} passed${rate === undefined ? '' : ` (${rate}%)`}\n`
  yield `failed ${failed}, skipped ${skipped}, not the agent's fault ${worldFailures}, flaky ${flaky}, ${shortTime(durationMs)}`
  yield `${cost === undefined ? '' : `, ${dollars(cost)}`}\n`
  for await (const result of results()) {
    const outcome = outcomeOf(result)
    if (result.retrying || outcome === 'passed') continue
    yield `- ${oneLine(result.key.id)}: ${outcome}: ${oneLine(reasonOf(result), 200)}\n`
  }
}
