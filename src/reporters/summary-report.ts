import { dollars } from '../dollars.ts'
import { shortTime } from '../duration.ts'
import { stabilityOver } from '../results/stability.ts'
import { passRate } from '../results/tally.ts'
import { totalCost } from '../results/usage.ts'
import { oneLine } from './printable.ts'
import type { Render } from './report.ts'
import { outcomeOf, reasonOf, titleOf } from './shown-result.ts'

/** A few lines of text: how many, and which did not pass. */
export const summaryReport: Render = async function* ({ start, summary }, results) {
  const { total, passed, failed, skipped, worldFailures, flaky, durationMs, usage } = summary
  const missing = summary.notRun + summary.interrupted
  const rate = passRate(summary)
  const cost = totalCost(usage)
  yield `viva: ${oneLine(start.agentId || 'script tests')}: ${passed} of ${total} passed${rate === undefined ? '' : ` (${rate}%)`}\n`
  yield `failed ${failed}, skipped ${skipped}, not the agent's fault ${worldFailures}, flaky ${flaky}, ${shortTime(durationMs)}`
  yield `${missing === 0 ? '' : `, not played ${missing}`}${cost === undefined ? '' : `, ${dollars(cost)}`}\n`
  if (start.runs > 1) {
    const cases = (await stabilityOver(results())).cases()
    const stable = cases.filter(({ stability }) => stability === 'stable').length
    yield `stable over ${start.runs} runs: ${stable} of ${cases.length} cases\n`
  }
  for (const [variant, counts] of Object.entries(summary.variants ?? {}))
    yield `${oneLine(variant)}: ${counts.passed} passed, ${counts.failed} failed\n`
  for await (const result of results()) {
    const outcome = outcomeOf(result)
    if (result.retrying || outcome === 'passed') continue
    yield `- ${oneLine(titleOf(result, start))}: ${outcome}: ${oneLine(reasonOf(result), 200)}\n`
  }
}
