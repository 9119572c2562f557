import type { Inked, Pen } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { pluralize } from '../../text/counted.ts'
import type { Audit, AuditCounts, AuditedCase } from './audit.ts'
import { countJudged } from './audit.ts'
import { leftOutText } from './auditable.ts'
import { suggestChecks } from './hints.ts'
import type { Passed } from './outcome.ts'

/** The result of an audit, for the terminal. */
export function auditLines(audit: Audit, pen: Pen): Inked[] {
  const { findings, notJudged, cast, auditable } = audit
  const leftOut = leftOutText(auditable.leftOut)
  return [
    ...[...audit.counts].map(([agent, counts]) => agentLine(agent, counts, pen)),
    ...cast.leftOut.map((why) => pen.dim(`tools-fail: left out, ${oneLine(why)}`)),
    ...(leftOut === '' ? [] : [pen.dim(`Left out: ${leftOut}`)]),
    pen.line``,
    ...findings.flatMap((found) => [...findingLines(found, auditable.isInSuite(found), pen), pen.line``]),
    ...notJudged.flatMap((found) => notJudgedLines(found, pen)),
    ...(notJudged.length === 0 ? [] : [pen.line``]),
    closingLine(audit, findings.length, auditable.entries.length, pen),
  ]
}

/** `silent: 1 of 12 cases passes`; what says nothing about the case is not among them. */
function agentLine(agent: string, counts: AuditCounts, pen: Pen): Inked {
  const { passed, allowed, no_tool_called: untouched, not_judged: open } = counts
  const more = [
    ...(allowed > 0 ? [`${allowed} more allowed to`] : []),
    ...(untouched > 0 ? [`${untouched} more called no tool`] : []),
    ...(open > 0 ? [`${open} more could not be judged`] : []),
  ]
  const words = `${agent}: ${passed} of ${pluralize(countJudged(counts), 'case')} ${passed === 1 ? 'passes' : 'pass'}`
  const rest = more.length === 0 ? '' : ` (${more.join(', ')})`
  return pen.line`${passed > 0 ? pen.red(words) : words}${rest}`
}

function findingLines({ passed, ...found }: AuditedCase, isInSuite: boolean, pen: Pen): Inked[] {
  const agents = passed.map(({ agent }) => agent).join(', ')
  const groups = groupByReasons(passed)
  return [
    pen.line`${pen.red('✗')} ${oneLine(found.id)} (${formatPlace(found)}) passes against ${agents}`,
    ...groups.flatMap(({ lines, agents: own }) => [
      ...(groups.length === 1 ? [] : [pen.line`  ${own.join(', ')}:`]),
      ...lines.map((line) => pen.line`    ${line}`),
    ]),
    ...suggestChecks({ passed }, isInSuite).map((hint) => pen.line`  ${pen.cyan('→')} ${hint}`),
  ]
}

/** Groups agents that passed for the same reasons. */
function groupByReasons(passed: AuditedCase['passed']): { agents: string[]; lines: string[] }[] {
  const groups = new Map<string, { agents: string[]; lines: string[] }>()
  for (const { agent, outcome } of passed) {
    const lines = passedLines(outcome)
    const group = groups.get(lines.join('\n'))
    if (group) group.agents.push(agent)
    else groups.set(lines.join('\n'), { agents: [agent], lines })
  }
  return [...groups.values()]
}

function passedLines({ checks, notEvaluated, endedBy, failedTools = [] }: Passed): string[] {
  const lines = [
    ...checks.map(({ check, reason, negative }) => {
      const only = negative ? ' (it only says what must not happen)' : ''
      return `${check} passes: ${oneLine(reason, 200)}${only}`
    }),
    ...(endedBy === undefined ? [] : [`ended by a condition: ${oneLine(endedBy, 200)}`]),
    ...(notEvaluated.length > 0 ? [`not evaluated: ${notEvaluated.join(', ')}`] : []),
    ...(failedTools.length > 0 ? [`tools that failed: ${oneLine(failedTools.join(', '), 200)}`] : []),
  ]
  return checks.length === 0 ? ['the case has no checks', ...lines] : lines
}

function notJudgedLines({ notJudged, ...found }: AuditedCase, pen: Pen): Inked[] {
  return notJudged.map(
    ({ agent, reason }) =>
      pen.line`${pen.yellow('?')} ${oneLine(found.id)} (${formatPlace(found)}) could not be judged against ${agent}: ${oneLine(reason, 300)}`,
  )
}

function closingLine(audit: Audit, findings: number, total: number, pen: Pen): Inked {
  if (findings > 0) {
    const pass = findings === 1 ? 'passes' : 'pass'
    return pen.line`${pen.red('✗')} ${findings} of ${pluralize(total, 'case')} ${pass} against an agent that should fail`
  }
  return audit.exitCode() === 0
    ? pen.line`${pen.green('✓')} No case passes against an agent that should fail`
    : pen.line`${pen.yellow('?')} Not every case could be judged, so it is unknown whether all of them can fail`
}

function formatPlace({ file, line }: Pick<AuditedCase, 'file' | 'line'>): string {
  return oneLine(`${file}:${line}`)
}
