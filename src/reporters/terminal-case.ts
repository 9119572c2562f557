import { compact } from '../json/defined.ts'
import { checkpointHolds, isUnclear } from '../results/checkpoint.ts'
import { failureText } from '../results/failure-text.ts'
import type { SkippedTurnLine } from '../results/line-schema.ts'
import { type CaseResult, type CheckpointResult, isExpectedFailure } from '../results/result.ts'
import { skippedTurn } from '../results/skipped-turn.ts'
import { fails } from '../results/transcript/check-result.ts'
import { countMessagesGiven, type Turn } from '../results/transcript/turn.ts'
import { pluralize } from '../text/counted.ts'
import { shortTime } from '../text/duration.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'
import { checkLines } from './terminal-check.ts'
import { agentLines, historyLines, quoteContent, userLines } from './terminal-messages.ts'
import type { Block } from './terminal-repeats.ts'

/** One line for a case that passed; for the others, and with `-v` for all, the conversation and its checks. */
export function caseBlock(result: CaseResult, pen: Pen, verbose: boolean): Block {
  if ((result.status === 'passed' || isExpectedFailure(result)) && !verbose) return headline(result, pen)
  const lines = result.singleTurn ? singleTurnLines(result, pen, verbose) : treeLines(result, pen, verbose)
  const block = result.singleTurn ? headline(result, pen) : treeHead(result, pen)
  block.body.push(...lines, ...logLines(result, pen, verbose), pen.line``)
  return block
}

/** The note after the time in a headline. */
function headlineNote(result: CaseResult): string {
  if (isExpectedFailure(result)) return ` expected: ${oneLine(result.expectedFailure ?? '')}`
  if (result.status !== 'passed') return ''
  if (result.expectedFailure !== undefined) return ' passes now: remove expected_failure'
  return result.flaky ? ' flaky' : result.unchecked ? ' unchecked' : ''
}

/** A failed attempt that is followed by another one. */
export function retryLine(result: CaseResult, pen: Pen): Inked {
  const why = oneLine(result.failure?.message ?? '', 200)
  return pen.line`${pen.yellow('↻')} [${oneLine(result.key.id)}] attempt ${result.key.attempt} failed: ${why}`
}

function logLines(result: CaseResult, pen: Pen, verbose: boolean): Inked[] {
  if (result.logs.length === 0) return []
  const shown = verbose ? result.logs : result.logs.slice(-5)
  return [pen.dim('  Log:'), ...shown.map((line) => pen.dim(pen.line`    ${oneLine(line, 200)}`))]
}

const marks: Record<CaseResult['status'], string> = {
  passed: '✓',
  failed: '✗',
  skipped: '○',
  interrupted: '⏹',
  not_run: '·',
}

function statusInk(status: CaseResult['status'], pen: Pen) {
  return status === 'passed' ? pen.green : status === 'failed' ? pen.red : pen.yellow
}

function headline(result: CaseResult, pen: Pen): Block {
  const mark = statusInk(result.status, pen)(marks[result.status])
  const name = result.name === undefined ? '' : ` ${oneLine(result.name)}`
  const turns = result.singleTurn ? '' : ` (${turnCount(result)})`
  return {
    head: pen.line`${mark} [${oneLine(result.key.id)}]${name}${turns}`,
    tail: timeAndNote(result, pen),
    body: [],
  }
}

function timeAndNote(result: CaseResult, pen: Pen): Inked {
  return pen.line` ${pen.dim(`(${shortTime(result.durationMs)})`)}${pen.yellow(headlineNote(result))}`
}

function turnCount({ view }: CaseResult): string {
  return pluralize(view.turns.length, 'turn')
}

function singleTurnLines(result: CaseResult, pen: Pen, verbose: boolean): Inked[] {
  const [turn] = result.view.turns
  const checks = [...(turn?.checks ?? []), ...result.finals]
  const passed = checks.filter((check) => check.status === 'passed').length
  const lines: Inked[] = []
  if (turn) {
    lines.push(
      pen.dim(
        `  Messages: ${countMessagesGiven(result.view)}, Assertions: ${passed}/${checks.length} passed`,
      ),
    )
    if (verbose) lines.push(...historyLines(result.view.history, pen).map((line) => pen.line`  ${line}`))
    lines.push(pen.line`  User:  ${quoteContent(turn.input.message.content)}${descriptionNote(turn)}`)
    lines.push(...agentLines(turn, pen).map((line) => pen.line`  ${line}`))
  }
  lines.push(...checks.flatMap((check) => checkLines(check, pen)).map((line) => pen.line`  ${line}`))
  return [...lines, ...outcomeLines(result, pen).map((line) => pen.line`  └─ ${line}`)]
}

/** The first line of a conversation has its verdict when it failed. */
function treeHead(result: CaseResult, pen: Pen): Block {
  const name = result.name === undefined ? '' : ` ${oneLine(result.name)}`
  return {
    head: pen.line`► [${oneLine(result.key.id)}]${name} (${turnCount(result)}${simulatorNote(result)})`,
    tail:
      result.status === 'failed' ? pen.line` → ${pen.red('FAILED')}${timeAndNote(result, pen)}` : pen.line``,
    body: [],
  }
}

function treeLines(result: CaseResult, pen: Pen, verbose: boolean): Inked[] {
  const { history, turns } = result.view
  const goal = result.termination.reason === 'goal_achieved' ? result.termination.detail : undefined
  const blocks: Inked[][] = turns.map((turn) =>
    turnBlock(turn, pen, turn === turns.at(-1) ? goal : undefined),
  )
  if (verbose && history.length > 0) blocks.unshift(historyLines(history, pen))
  const skipped = skippedTurn(result)
  if (skipped) blocks.push(skippedBlock(skipped, result, pen))
  if (result.checkpoints.length > 0) blocks.push(checkpointsBlock(result.checkpoints, pen))
  if (result.finals.length > 0 || result.unevaluated.length > 0) blocks.push(finalsBlock(result, pen))
  const [outcome] = outcomeLines(result, pen)
  const verdict = statusInk(result.status, pen)(result.status.toUpperCase())
  if (result.status !== 'passed')
    blocks.push([pen.line`Result: ${verdict}${outcome ? pen.line` ${outcome}` : ''}`])
  return blocks.flatMap((block, index) => branch(block, index === blocks.length - 1, pen))
}

function simulatorNote({ view }: CaseResult): string {
  const by = view.turns.find((turn) => turn.simulated)?.simulated?.by
  return by === undefined ? '' : `, simulator: ${oneLine(by)}`
}

function branch(block: readonly Inked[], last: boolean, pen: Pen): Inked[] {
  const [head = pen.line``, ...rest] = block
  const stem = last ? ' ' : '│'
  const lines = [
    pen.line`  ${last ? '└─' : '├─'} ${head}`,
    ...rest.map((line) => pen.line`  ${stem}  ${line}`),
  ]
  return last ? lines : [...lines, pen.line`  │`]
}

const indent = ' '.repeat(8)

/** `goal`: the simulated user reached its goal in this turn, for this reason. */
function turnBlock(turn: Turn, pen: Pen, goal?: string): Inked[] {
  const failed = turn.error !== undefined || turn.checks.some(fails)
  const verdict = failed
    ? pen.red('FAILED')
    : turn.unevaluated === undefined
      ? pen.green('PASSED')
      : pen.yellow('NOT EVALUATED')
  const time = pen.dim(`(${shortTime(turn.durationMs)})`)
  const source = { initial: '[Initial] ', static: '', simulated: '[Simulated] ', human: '[Human] ' }[
    turn.source
  ]
  return compact([
    pen.line`Turn ${turn.number}: ${source}${quoteContent(turn.input.message.content)} → ${verdict} ${time}${descriptionNote(turn)}`,
    ...[...userLines(turn, pen), ...agentLines(turn, pen)].map((line) => pen.line`${indent}${line}`),
    turn.error !== undefined && pen.line`${indent}${pen.red(`error: ${oneLine(turn.error, 300)}`)}`,
    ...turn.checks.flatMap((check) => checkLines(check, pen)).map((line) => pen.line`${indent}${line}`),
    goal !== undefined && pen.line`${indent}Goal achieved${goal === '' ? '' : `: ${oneLine(goal, 200)}`}`,
  ])
}

function descriptionNote({ description }: Turn): string {
  return description === undefined ? '' : ` - ${oneLine(description, 200)}`
}

function finalsBlock(result: CaseResult, pen: Pen): Inked[] {
  const verdict = result.finals.some(fails)
    ? pen.red('FAILED')
    : result.unevaluated.length > 0
      ? pen.yellow('NOT EVALUATED')
      : pen.green('PASSED')
  return [pen.line`Final Assertions: ${verdict}`, ...result.finals.flatMap((check) => checkLines(check, pen))]
}

/** A turn for which there was no user message. */
function skippedBlock(skipped: SkippedTurnLine, { view, failure }: CaseResult, pen: Pen): Inked[] {
  const isMissing = failure?.kind === 'missing_input'
  const last = isMissing ? view.turns.at(-1) : undefined
  return compact([
    pen.line`Turn ${skipped.turn}: ${pen.yellow('SKIPPED')}`,
    pen.line`${indent}Reason: ${oneLine(skipped.skip_reason, 500)}`,
    last && pen.line`${indent}Agent asked: ${quoteContent(last.awaiting.match ?? last.reply?.content)}`,
    isMissing && pen.line`${indent}Hint: Add more turns, use --interactive, or configure simulator`,
  ])
}

function checkpointsBlock(checkpoints: readonly CheckpointResult[], pen: Pen): Inked[] {
  const wanted = checkpoints.filter(({ forbidden }) => !forbidden)
  const reached = wanted.filter(({ turn }) => turn !== undefined).length
  return [
    pen.line`Checkpoints: ${reached}/${wanted.length} reached`,
    ...checkpoints.map((checkpoint) => checkpointLine(checkpoint, pen)),
  ]
}

function checkpointLine(checkpoint: CheckpointResult, pen: Pen): Inked {
  const { id, turn, required, forbidden, status, reason } = checkpoint
  const kind = forbidden ? ' (forbidden)' : required ? '' : ' (optional)'
  const holds = checkpointHolds(checkpoint)
  const mark = holds ? pen.green('✓') : required || forbidden ? pen.red('✗') : pen.yellow('○')
  const when =
    turn !== undefined
      ? `${forbidden ? 'was reached ' : ''}at turn ${turn}`
      : isUnclear(checkpoint)
        ? 'could not be judged'
        : 'not reached'
  const why = turn === undefined && (!holds || status === 'waiting') ? `: ${oneLine(reason, 200)}` : ''
  return pen.line`${mark} ${oneLine(id)}${kind} ${when}${why}`
}

/** The reason for the outcome, where the failed checks do not show it already. */
function outcomeLines(result: CaseResult, pen: Pen): Inked[] {
  const { failure, fault } = result
  if (failure === undefined || failure.kind === 'assertion' || failure.kind === 'missing_input') {
    return failure?.kind === 'missing_input' && result.status === 'failed'
      ? [pen.red(oneLine(failure.message, 500))]
      : []
  }
  const whose =
    fault === 'infrastructure' ? ' (infrastructure error)' : fault === 'viva' ? ' (a bug in viva)' : ''
  const text = failureText(failure, result.termination)
  return [statusInk(result.status, pen)(`${oneLine(text, 500)}${whose}`)]
}
