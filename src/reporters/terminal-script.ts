import { compact } from '../json/defined.ts'
import type { CaseResult, Subtest } from '../results/result.ts'
import { scriptName } from '../results/script-name.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { agentFailures, missingResults } from '../results/tally.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import { pluralize } from '../text/counted.ts'
import { shortTime } from '../text/duration.ts'
import { originHeading, originNote } from './origin-text.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'
import { repairsText } from './repairs-text.ts'
import { resumedText } from './resumed-text.ts'
import { shardText } from './shard-text.ts'
import type { Block } from './terminal-repeats.ts'

const heavy = '═'.repeat(79)
const light = '─'.repeat(79)

/** The lines before the first script test. */
export function scriptBanner(start: RunStart, pen: Pen): Inked[] {
  const { scripts = [], environment, runs, origin } = start
  const names = scripts.map(({ file }) => scriptName(file))
  const count = scripts.reduce((sum, { tests }) => sum + tests, 0)
  return [
    pen.dim(heavy),
    pen.line`  ${pen.bold(`Script Test: ${names.map(({ id }) => oneLine(id, 300)).join(', ')}`)}`,
    pen.dim(heavy),
    ...names.map(({ path }) => pen.line`  Script: ${oneLine(path, 300)}`),
    pen.line`  Tests: ${pluralize(count, 'function')}${runs > 1 ? `, ${runs} times` : ''}`,
    pen.line`  User: ${oneLine(environment.userId)}`,
    pen.line`  Team: ${oneLine(environment.teamId)}`,
    ...compact([shardText(start), origin && originHeading(origin), ...resumedText(start)]).map(
      (text) => pen.line`  ${text}`,
    ),
    pen.dim(light),
    pen.line`  ${pen.bold('Running Tests')}`,
    pen.dim(light),
  ]
}

/** One test. `several` says that the run has tests of several files. */
export function scriptTestBlock(
  result: CaseResult,
  pen: Pen,
  { several, verbose }: { several: boolean; verbose: boolean },
): Block {
  const { key, status, script } = result
  const where = several ? ` ${oneLine(scriptName(key.file).path, 300)}` : ''
  const quiet = status === 'passed' && !verbose
  return {
    head: pen.line`► [${oneLine(key.id)}]${where}`,
    tail: pen.line` ...`,
    body: [
      pen.line`  ${outcomeLabel(result, pen)} ${pen.dim(`(${shortTime(result.durationMs)})`)}${testNote(result, pen)}`,
      ...reasonLines(result, pen).map((line) => pen.line`    ${line}`),
      ...(quiet ? [] : (script?.subtests ?? []).map((each) => pen.line`    ${subtestLine(each, pen)}`)),
      ...(quiet ? [] : result.logs.map((line) => pen.dim(pen.line`    │ ${oneLine(line, 200)}`))),
      pen.line``,
    ],
  }
}

function outcomeLabel({ status }: CaseResult, pen: Pen): Inked {
  switch (status) {
    case 'passed':
      return pen.green('✓ PASSED')
    case 'failed':
      return pen.red('✗ FAILED')
    case 'skipped':
      return pen.yellow('○ SKIPPED')
    default:
      return pen.yellow('⏹ STOPPED')
  }
}

function testNote({ unchecked, flaky, status, fault }: CaseResult, pen: Pen): Inked {
  if (flaky) return pen.yellow(' flaky')
  if (status === 'failed' && fault === 'infrastructure') return pen.yellow(' infrastructure error')
  return unchecked && status === 'passed' ? pen.yellow(' asserts nothing') : pen.line``
}

/** The failed assertions, each with what was expected, or whatever else ended the test. */
function reasonLines({ status, failure, finals }: CaseResult, pen: Pen): Inked[] {
  if (status === 'passed' || failure === undefined) return []
  const assertions = finals.flatMap((check) => assertionLines(check, pen))
  // The failure would only repeat the assertion.
  if (failure.kind === 'assertion' && assertions.length > 0) return assertions
  const [head = '', ...more] = failure.message.split('\n')
  return [
    pen.line`└─ ${pen.red(oneLine(head, 500))}`,
    ...more.slice(0, 12).map((line) => pen.line`   ${oneLine(line, 300)}`),
    ...assertions,
  ]
}

function assertionLines({ type, expected, actual, reason, fields }: CheckResult, pen: Pen): Inked[] {
  const words = typeof fields?.message === 'string' ? fields.message : reason
  // Names of assertions are capitalised (`Equal`); `threw` and `failed` are other failures.
  const isAssertion = /^[A-Z]/.test(type)
  // Values that JSON cannot express look like text: only the reason distinguishes `undefined` from "undefined".
  const unclear =
    type === 'Agent' ||
    (expected !== undefined && formatAssertionValue(expected) === formatAssertionValue(actual))
  return compact([
    pen.line`└─ ${pen.red(`${isAssertion ? 'assertion failed: ' : ''}${oneLine(words, 500)}`)}`,
    expected !== undefined && pen.line`   expected: ${formatAssertionValue(expected)}`,
    actual !== undefined && pen.line`   actual: ${formatAssertionValue(actual)}`,
    unclear && words !== reason && pen.line`   reason: ${oneLine(reason, 300)}`,
    typeof fields?.at === 'string' && pen.dim(`   at ${oneLine(fields.at)}`),
  ])
}

function formatAssertionValue(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? '', 300)
}

function subtestLine({ name, status, durationMs, reason }: Subtest, pen: Pen): Inked {
  const mark = { passed: pen.green('✓'), failed: pen.red('✗'), skipped: pen.yellow('○') }[status]
  const why = reason === undefined ? '' : `: ${oneLine(reason, 200)}`
  return pen.line`${mark} ${oneLine(name)} ${pen.dim(`(${shortTime(durationMs)})`)}${why}`
}

/** The lines after the last script test. */
export function scriptSummary(summary: RunSummary, pen: Pen, run?: Pick<RunStart, 'origin'>): Inked[] {
  const { passed, skipped, unchecked, infrastructureErrors, vivaFailures } = summary
  const stopped = missingResults(summary)
  const repairs = repairsText(summary.usage)
  const counts = `${passed} passed, ${agentFailures(summary)} failed, ${skipped} skipped${stopped > 0 ? `, ${stopped} not run` : ''}`
  const errors = pluralize(infrastructureErrors, 'infrastructure error')
  const bugs = pluralize(vivaFailures, 'bug in viva', 'bugs in viva')
  const silent = `${pluralize(unchecked, 'test')} passed without an assertion`
  return compact([
    pen.dim(heavy),
    pen.line`  ${pen.bold(`Summary: ${counts}`)} (${shortTime(summary.durationMs)})`,
    pen.dim(heavy),
    run?.origin && pen.yellow(`  ⚠ ${originNote(run.origin)}`),
    infrastructureErrors > 0 && pen.yellow(`  ⚠ ${errors}: not a failure of the tested code`),
    vivaFailures > 0 && pen.red(`  ⚠ ${bugs}`),
    unchecked > 0 && pen.yellow(`  ⚠ ${silent} (--require-checks makes that a failure)`),
    repairs && pen.yellow(`  ⚠ ${repairs}`),
    pen.line``,
  ])
}
