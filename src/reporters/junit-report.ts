import type { ItemList } from '../json/lazy-list.ts'
import type { CarriedOver } from '../results/carried-over.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { listFailedChecks } from '../results/failed-checks.ts'
import type { CaseResult } from '../results/result.ts'
import { tallyStability } from '../results/stability.ts'
import type { RunStart } from '../results/summary.ts'
import { failuresAreAllowed } from '../results/tally.ts'
import { shorten } from '../text/shorten.ts'
import { carriedReason } from './carried-text.ts'
import { checkDiff } from './check-diff.ts'
import { printable } from './printable.ts'
import type { FinishedRun, Render } from './report.ts'
import { listRequirements, type Requirement } from './requirements.ts'
import { conversationText, describeReason, failedCheckText, shownOutcome } from './shown-result.ts'

/** Enough of a conversation to see what happened; the journal has all of it. */
const longestOutput = 20_000

/**
 * JUnit XML, as GitHub, GitLab and Jenkins read it: one test case per result, per gate and for the comparison. Failures
 * that the gates allow, and infrastructure errors that a green run tolerates, are reported as skipped.
 */
export const junitReport: Render = async function* (run, results) {
  const { runs } = run.start
  yield head(run, runs > 1 ? (await tallyStability(results())).cases() : [])
  let listed = 0
  for await (const result of results()) {
    yield testCase(result, run)
    listed += 1
  }
  for (const carried of run.start.carriedOver ?? []) yield carriedCase(carried)
  // Readers that count elements must see that results are missing.
  for (let missing = 1; missing <= run.summary.total - listed; missing += 1) yield notRunCase(missing)
  for (const requirement of listRequirements(run.summary)) yield requirementCase(requirement)
  yield '  </testsuite>\n</testsuites>\n'
}

function head({ start, summary, exitCode }: FinishedRun, cases: ItemList<CaseStability>): string {
  const { total, failed, expectedFailures, infrastructureErrors, vivaFailures, durationMs } = summary
  const { skipped, interrupted, notRun, flaky, unchecked, carriedOver = 0 } = summary
  const broken = infrastructureErrors + vivaFailures
  const allowed = failuresAreAllowed(summary) ? failed - broken : 0
  const tolerated = exitCode === 0 ? broken : 0
  const requirements = listRequirements(summary)
  const count = (wanted: Requirement['outcome']) =>
    requirements.filter(({ outcome }) => outcome === wanted).length
  const counts = {
    tests: total + carriedOver + requirements.length,
    failures: failed - broken - allowed + count('failed'),
    errors: broken - tolerated + interrupted + notRun + count('broken'),
    time: seconds(durationMs),
  }
  const suite = {
    name: start.agentId || 'script tests',
    ...counts,
    skipped: skipped + carriedOver + expectedFailures + allowed + tolerated,
    timestamp: dropTimeZone(start.timestamp),
  }
  const properties = {
    ...(start.agentId !== '' && { agent: start.agentId }),
    ...(start.connector !== undefined && { connector: start.connector }),
    runs: start.runs,
    user: start.environment.userId,
    team: start.environment.teamId,
    locale: start.environment.locale,
    viva: start.vivaVersion,
    ...originProperties(start),
    ...(flaky > 0 && { flaky }),
    ...(unchecked > 0 && { unchecked }),
    ...(carriedOver > 0 && { carried_over: carriedOver }),
    ...(cases.length > 0 && {
      cases: cases.length,
      ...(start.origin === undefined && {
        stable_cases: cases.filter(({ stability }) => stability === 'stable').length,
      }),
    }),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: 'viva', ...counts })}>`,
    `  <testsuite ${attributes(suite)}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property ${attributes({ name, value })}/>`),
    '    </properties>',
    '',
  ].join('\n')
}

function originProperties({ origin }: RunStart): Record<string, string> {
  if (origin === undefined) return {}
  const { kind, from, live } = origin
  return { origin: kind, origin_from: from, ...(live !== undefined && { origin_live: live.join(', ') }) }
}

function testCase(result: CaseResult, run: FinishedRun): string {
  const { runs } = run.start
  const { key, name, durationMs } = result
  const several = runs > 1 ? ` (run ${key.run})` : ''
  const shown = {
    classname: classNameOf(key.file, key.variant),
    name: `${key.id}${name === undefined ? '' : `: ${name}`}${several}`,
    time: seconds(durationMs),
  }
  return [
    `    <testcase ${attributes(shown)}>`,
    ...verdict(result, run),
    `      <system-out>${escapeXml(shorten(conversationText(result), longestOutput))}</system-out>`,
    '    </testcase>',
    '',
  ].join('\n')
}

/** It is no test that has run, and none that has passed. */
function carriedCase(carried: CarriedOver): string {
  const [file, id, variant] = carried
  const shown = attributes({ classname: classNameOf(file, variant), name: id, time: seconds(0) })
  return `    <testcase ${shown}>\n${skippedElement(carriedReason(carried))}\n    </testcase>\n`
}

function classNameOf(file: string, variant: string): string {
  return [file, variant].filter((part) => part !== '').join(' · ') || 'message'
}

function notRunCase(number: number): string {
  const shown = attributes({ classname: 'viva', name: `not run ${number}`, time: seconds(0) })
  const error = attributes({ message: 'the run ended before this case', type: 'not_run' })
  return `    <testcase ${shown}>\n      <error ${error}/>\n    </testcase>\n`
}

function requirementCase({ name, text: message, outcome }: Requirement): string {
  const shown = attributes({ classname: 'viva', name, time: seconds(0) })
  const element = outcome === 'failed' ? 'failure' : 'error'
  const inside =
    outcome === 'passed'
      ? `      <system-out>${escapeXml(message)}</system-out>`
      : `      <${element} ${attributes({ message, type: 'not_reached' })}/>`
  return `    <testcase ${shown}>\n${inside}\n    </testcase>\n`
}

function verdict(result: CaseResult, { summary, exitCode }: FinishedRun): string[] {
  const outcome = shownOutcome(result)
  const message = describeReason(result)
  const type = result.failure?.kind ?? result.status
  if (outcome === 'passed') return []
  if (outcome === 'skipped' || outcome === 'known') return [skippedElement(message)]
  if (outcome === 'failed' && failuresAreAllowed(summary))
    return [skippedElement(`failed, but the gates allow it: ${message}`)]
  if (outcome === 'broken' && exitCode === 0) return [skippedElement(`not judged, but tolerated: ${message}`)]
  const element = outcome === 'failed' ? 'failure' : 'error'
  const checks = listFailedChecks(result).flatMap((failed) => [
    failedCheckText(failed),
    ...(checkDiff(failed.check) ?? []),
  ])
  const details = escapeXml(shorten([message, ...checks].join('\n'), longestOutput))
  return [`      <${element} ${attributes({ message, type })}>${details}</${element}>`]
}

function skippedElement(message: string): string {
  return `      <skipped ${attributes({ message })}/>`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Without the time zone, which the common JUnit schema does not allow. */
function dropTimeZone(timestamp: string): string {
  return timestamp.replace(/\.\d+Z$/, '').replace(/Z$/, '')
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(shorten(String(value), 2000)).replaceAll('\n', '&#10;')}"`)
    .join(' ')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Characters that XML does not allow, and those that could deceive a reader, become escapes. */
function escapeXml(value: string): string {
  return (
    printable(value)
      .replace(/[&<>"']/g, (character) => entities[character] ?? character)
      // If the XML is printed to the log of a workflow, no line of it may act as a command. To XML readers this is the same text.
      .replace(/^([^\S\n]*):(?=:)/gm, '$1&#58;')
      .replaceAll('##[', '#&#35;[')
  )
}
