import { asJson } from '../json/as-json.ts'
import { defined } from '../json/defined.ts'
import { gateText } from '../reporters/gate-text.ts'
import {
  bulletList,
  caseMarkdown,
  counted,
  known,
  markdownTable,
  ranks,
} from '../reporters/markdown-parts.ts'
import { markdownText } from '../reporters/markdown-text.ts'
import { rateText } from '../reporters/rate-text.ts'
import { shownOutcome, spokenLines } from '../reporters/shown-result.ts'
import { agentFailures } from '../results/tally.ts'
import { formatDollars } from '../text/dollars.ts'
import { shortTime } from '../text/duration.ts'
import type { ConversationTurn } from './conversation-context.ts'
import { answeredNames, spokenIn, spokenInput } from './held-values.ts'
import type { AnyReport } from './report.ts'
import { type IterationStats, isIteratedResult, isMultiTurnResult } from './results.ts'
import { hideSecrets } from './secrets.ts'

/**
 * Formats a report as Markdown: the figures, then each case with its conversation, failed cases first.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, reportToMarkdown } from 'vivavoce'
 *
 * const suite = createEvalSuite({ agent: { execute: (text: string) => text.toUpperCase() } })
 * const report = await suite.run([{ id: 'loud', input: 'hello', expectedOutput: 'HELLO' }])
 * const markdown = reportToMarkdown(report)
 * assert.match(markdown, /^# Evaluation Report/)
 * assert.match(markdown, /\| Passed \| 1 \|/)
 */
export function reportToMarkdown(report: AnyReport): string {
  const redact = hideSecrets()()
  // Secrets go first: what is escaped for Markdown no longer looks like one.
  const write: Write = (text, longest) => markdownText(redact(text), longest)
  const { results, agentDescription } = report
  const inOrder = ranks.flatMap(({ outcomes }) =>
    results.filter((result) => outcomes.includes(shownOutcome(result))),
  )
  return [
    '# Evaluation Report\n\n',
    ...known('', agentDescription).map(([, text]) => `${write(String(text))}\n\n`),
    figures(report),
    '\n## Results\n',
    ...inOrder.map((result) => section(result, write)),
  ].join('')
}

type Write = typeof markdownText

function figures({ summary, durationMs }: AnyReport): string {
  return markdownTable(
    ['Metric', 'Value'],
    [
      ['Tests', summary.totalTests],
      ...known('Plays', summary.total === summary.totalTests ? undefined : summary.total),
      ['Passed', summary.passed],
      ['Failed', agentFailures(summary)],
      ...counted("Failed, not by the agent's fault", summary.infrastructureErrors),
      ...counted('Failed by a bug of viva', summary.vivaFailures),
      ...counted('Flaky', summary.flaky),
      ...counted('Passed without a check', summary.unchecked),
      ...counted('Skipped', summary.skipped),
      ...counted('Not run', summary.notRun),
      ['Pass rate', rateText(summary)],
      ...known('Average score', summary.avgScore),
      ...(summary.gates ?? []).map((gate) => ['Gate', `${gate.status}: ${gateText(gate)}`] as const),
      ...known('Compared', summary.comparison?.text),
      ...known('Budget', summary.overBudget),
      ['Duration', shortTime(durationMs)],
      ['Cost', summary.cost === undefined ? 'unknown' : formatDollars(summary.cost)],
    ],
  )
}

function section(result: AnyReport['results'][number], write: Write): string {
  const { id, testCase, passed, error = '', score, verdicts, unchecked, durationMs } = result
  const isTalk = isMultiTurnResult(result)
  return caseMarkdown({
    outcome: shownOutcome(result),
    title: write([id, testCase.description].filter((text) => text !== undefined).join(': ')),
    facts: [
      ...(score === undefined ? [] : [`score ${score}`]),
      ...(unchecked ? ['unchecked'] : []),
      ...(isTalk ? [`${result.totalTurns} turns, ${result.terminationReason}`] : []),
      shortTime(durationMs),
    ],
    reason: write(error, 500),
    bullets: verdicts.map(
      ({ criterionId, score, reasoning }) => `${write(criterionId)} ${score}: ${write(reasoning, 500)}`,
    ),
    notes: isIteratedResult(result) ? [iterations(result.iterationStats)] : [],
    conversation: isTalk && !passed ? conversation(result.conversationHistory, write) : '',
  })
}

function iterations({ iterations, passCount, mean, stdDev = 0 }: IterationStats): string {
  const scores = mean === undefined ? '' : `, mean score ${round(mean)} ± ${round(stdDev)}`
  return `${passCount} of ${iterations} iterations passed${scores}`
}

function conversation(turns: readonly ConversationTurn[], write: Write): string {
  const lines = turns.flatMap(({ input, output, error, description, ...turn }) => {
    const answer = spokenIn(asJson(output), answeredNames)
    const spoken = { said: spokenInput(input), answer, ...defined({ description, error }), ...turn }
    return spokenLines(spoken, (text) => write(text, 500))
  })
  return bulletList(lines)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
