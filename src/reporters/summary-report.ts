import type { ItemList } from '../json/lazy-list.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { tallyStability } from '../results/stability.ts'
import type { RunStart } from '../results/summary.ts'
import { agentFailures, missingResults, passRate } from '../results/tally.ts'
import { totalCost } from '../results/usage.ts'
import { shortTime } from '../text/duration.ts'
import { carriedReason, carriedText, carriedTitle } from './carried-text.ts'
import { costText } from './cost-text.ts'
import { gateText } from './gate-text.ts'
import { originNote } from './origin-text.ts'
import { passKLines } from './pass-k-lines.ts'
import { oneLine } from './printable.ts'
import { countsText } from './rate-text.ts'
import { repairsText } from './repairs-text.ts'
import type { Render } from './report.ts'
import { shardText } from './shard-text.ts'
import { describeReason, resultTitle, shownOutcome } from './shown-result.ts'
import { escapeCommands } from './workflow-commands.ts'

const mostListed = 100

/** A few lines of text: the counts, and the results that did not pass. */
export const summaryReport: Render = async function* ({ start, summary }, results) {
  const { total, passed, skipped, infrastructureErrors, vivaFailures, flaky, durationMs, usage } = summary
  const missing = missingResults(summary)
  const { unchecked } = summary
  const rate = passRate(summary)
  const failed = agentFailures(summary)
  const judged = passed + failed
  const cost = totalCost(usage)
  const share =
    rate === undefined ? '' : ` (${rate}%${judged === total ? '' : ` of ${judged} that could be judged`})`
  yield line(`viva: ${start.agentId || 'script tests'}: ${passed} of ${total} passed${share}`)
  yield [
    `failed ${failed}, skipped ${skipped}, infrastructure errors ${infrastructureErrors}, flaky ${flaky}`,
    ...(vivaFailures === 0 ? [] : [`bugs in viva ${vivaFailures}`]),
    ...(unchecked === 0 ? [] : [`unchecked ${unchecked}`]),
    ...(missing === 0 ? [] : [`not run ${missing}`]),
    shortTime(durationMs),
    ...(cost === undefined ? [] : [costText(usage)]),
  ].join(', ') + '\n'
  if (summary.carriedOver !== undefined) yield line(carriedText(summary.carriedOver))
  const part = shardText(start)
  if (part !== undefined) yield line(part)
  if (start.origin !== undefined) yield line(originNote(start.origin))
  if (start.runs > 1 && start.origin === undefined)
    yield* stabilityTexts(start, (await tallyStability(results())).cases())
  for (const gate of summary.gates ?? []) yield line(`gate ${gate.status}: ${gateText(gate)}`)
  if (summary.comparison)
    yield line(`compared with ${summary.comparison.baseline}: ${summary.comparison.text}`)
  if (summary.overBudget !== undefined) yield line(summary.overBudget)
  const repairs = repairsText(usage)
  if (repairs !== undefined) yield line(repairs)
  for (const [variant, counts] of Object.entries(summary.variants ?? {}))
    yield line(`${variant}: ${countsText(counts)}`)
  let listed = 0
  for await (const result of results()) {
    const outcome = shownOutcome(result)
    const reason = describeReason(result)
    if (outcome === 'passed' && reason === '') continue
    listed += 1
    if (listed > mostListed) continue
    yield line(
      `- ${oneLine(resultTitle(result, start))}: ${outcome}${reason === outcome ? '' : `: ${oneLine(reason, 300)}`}`,
    )
  }
  if (listed > mostListed) yield `…and ${listed - mostListed} more\n`
  const carried = start.carriedOver ?? []
  for (const each of carried.slice(0, mostListed))
    yield line(`- ${oneLine(carriedTitle(each, start.variants))}: ${carriedReason(each)}`)
  if (carried.length > mostListed) yield `…and ${carried.length - mostListed} more carried over\n`
}

function* stabilityTexts(start: RunStart, cases: ItemList<CaseStability>): Generator<string> {
  const isAuto = start.gates?.confidence !== undefined
  const stable = cases.filter(
    ({ stability, passed }) => stability === 'stable' && (isAuto || passed === start.runs),
  ).length
  yield `stable over ${isAuto ? `up to ${start.runs}` : start.runs} runs: ${stable} of ${Math.max(start.totalCases, cases.length)} cases\n`
  for (const figures of passKLines(cases, start.gates)) yield `${figures}\n`
}

function line(text: string): string {
  return `${escapeCommands(oneLine(text, 500))}\n`
}
