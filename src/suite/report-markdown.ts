import { markdownText } from '../reporters/markdown-text.ts'
import { rateText } from '../reporters/rate-text.ts'
import { agentFailures } from '../results/tally.ts'
import { dollars } from '../text/dollars.ts'
import { shortTime } from '../text/duration.ts'
import type { ConversationTurn } from './conversation-context.ts'
import { answeredNames, spokenField, spokenIn } from './held-values.ts'
import { asJson } from './json-value.ts'
import type { AnyReport } from './report.ts'
import { isIteratedResult, isMultiTurnResult } from './results.ts'
import { hideSecrets } from './secrets.ts'

/** A report for people: the figures, then each case with its conversation, what failed first. */
export function reportToMarkdown(report: AnyReport): string {
  const redact = hideSecrets()()
  // Secrets go first: what is escaped for Markdown no longer looks like one.
  return markdownOf(report, (text, longest) => markdownText(redact(text), longest))
}

type Write = typeof markdownText

function markdownOf({ summary, results, agentDescription, durationMs }: AnyReport, write: Write): string {
  const inOrder = results.toSorted((one, other) => Number(one.passed) - Number(other.passed))
  return [
    '# Evaluation Report\n',
    ...(agentDescription === undefined ? [] : [`${write(agentDescription)}\n`]),
    table(
      ['Metric', 'Value'],
      [
        ['Tests', summary.totalTests],
        ...(summary.total === summary.totalTests ? [] : [['Plays', summary.total] as Row]),
        ['Passed', summary.passed],
        ['Failed', agentFailures(summary)],
        ...counted("Failed, not by the agent's fault", summary.infrastructureErrors),
        ...counted('Failed by a bug of viva', summary.vivaFailures),
        ...counted('Flaky', summary.flaky),
        ...counted('Passed without a check', summary.unchecked),
        ...counted('Skipped', summary.skipped),
        ...counted('Not run', summary.notRun),
        ['Pass rate', rateText(summary)],
        ...(summary.avgScore === undefined ? [] : [['Average score', summary.avgScore] as Row]),
        ['Duration', shortTime(durationMs)],
        ['Cost', summary.cost === undefined ? 'unknown' : dollars(summary.cost)],
      ],
    ),
    '## Results\n',
    ...inOrder.map((result) => section(result, write)),
  ].join('\n')
}

type Row = [string, string | number]

function counted(name: string, count: number): Row[] {
  return count === 0 ? [] : [[name, count]]
}

function section(result: AnyReport['results'][number], write: Write): string {
  const { id, testCase, status, passed, error, score, verdicts, unchecked, durationMs } = result
  const title = [id, testCase.description].filter((text) => text !== undefined).join(': ')
  const facts = [
    ...(score === undefined ? [] : [`score ${score}`]),
    ...(unchecked ? ['unchecked'] : []),
    ...(isMultiTurnResult(result) ? [`${result.totalTurns} turns, ${result.terminationReason}`] : []),
    shortTime(durationMs),
  ]
  return [
    `### ${passed ? '✅' : status === 'failed' ? '❌' : '⏭️'} ${write(title)} (${facts.join(', ')})\n`,
    ...(error === undefined ? [] : [`${write(error, 500)}\n`]),
    ...(isIteratedResult(result) ? [iterations(result)] : []),
    ...verdicts.map(
      ({ criterionId, score: each, reasoning }) =>
        `- ${write(criterionId)} ${each}: ${write(reasoning, 500)}`,
    ),
    ...(verdicts.length > 0 ? [''] : []),
    ...(isMultiTurnResult(result) && !passed ? [conversation(result.conversationHistory, write)] : []),
  ].join('\n')
}

function iterations({
  iterationStats: stats,
}: {
  iterationStats: { iterations: number; passCount: number; mean?: number; stdDev?: number }
}): string {
  const mean =
    stats.mean === undefined ? '' : `, mean score ${round(stats.mean)} ± ${round(stats.stdDev ?? 0)}`
  return `${stats.passCount} of ${stats.iterations} iterations passed${mean}\n`
}

function conversation(turns: readonly ConversationTurn[], write: Write): string {
  const lines = turns.flatMap(({ input, output, error, description }) => {
    const field = spokenField(input)
    const about = description === undefined ? '' : ` (${write(description, 200)})`
    return [
      `- user${about}: ${write(spokenIn(asJson(input), field === undefined ? [] : [field]), 500)}`,
      error === undefined
        ? `- agent: ${write(spokenIn(asJson(output), answeredNames), 500)}`
        : `- error: ${write(error, 500)}`,
    ]
  })
  return `<details><summary>Conversation</summary>\n\n${lines.join('\n')}\n\n</details>\n`
}

function table(heads: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => markdownText(String(cell))).join(' | ')} |`
  return `${[line(heads), '| --- | --- |', ...rows.map(line)].join('\n')}\n`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
