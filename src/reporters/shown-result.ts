import { type FailedCheck, listFailedChecks } from '../results/failed-checks.ts'
import { failureText } from '../results/failure-text.ts'
import { mainConnector } from '../results/main-connector.ts'
import { type CaseResult, isExpectedFailure } from '../results/result.ts'
import { skippedTurn } from '../results/skipped-turn.ts'
import type { RunStart } from '../results/summary.ts'
import { reasonWithCriterion } from '../results/transcript/criterion.ts'
import { messageText, type ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { shorten } from '../text/shorten.ts'
import { checkOutcome } from './check-text.ts'
import { oneLine } from './printable.ts'

/** The reason for a result, in one or two lines; empty for one that passed as expected. */
export function describeReason(result: CaseResult): string {
  const { failure, status, termination, expectedFailure } = result
  if (status === 'passed')
    return expectedFailure === undefined ? '' : `passed, though expected to fail: ${expectedFailure}`
  const failed = listFailedChecks(result)
  const said = failureText(failure, termination) || failed[0]?.check.reason || status
  const check = failed.find(({ check: { reason } }) => reason === said)?.check
  const reason = check === undefined ? said : reasonWithCriterion(check)
  return isExpectedFailure(result) ? `${reason} (known: ${expectedFailure})` : reason
}

/** A failed check on one line: `turn 2: judge "It is polite": it is rude`. */
export function failedCheckText({ check, turn }: FailedCheck): string {
  return `${turn === undefined ? '' : `turn ${turn}: `}${checkOutcome(check)}`
}

/** The id of the case, with variant and run where there are several: `T1 (support@gpt, run 2)`. */
export function resultTitle(
  { key }: Pick<CaseResult, 'key'>,
  { runs, variants }: Pick<RunStart, 'runs' | 'variants'>,
): string {
  const which = [variants.length > 1 && key.variant, runs > 1 && `run ${key.run}`].filter(Boolean).join(', ')
  return which === '' ? key.id : `${key.id} (${which})`
}

export type ShownOutcome = 'passed' | 'failed' | 'broken' | 'known' | 'skipped' | 'unfinished'

/** `broken`: it failed, and not by the agent's fault. `known`: as its author said it would. */
export function shownOutcome(result: Pick<CaseResult, 'status' | 'fault' | 'expectedFailure'>): ShownOutcome {
  if (result.status === 'passed' || result.status === 'skipped') return result.status
  if (result.status !== 'failed') return 'unfinished'
  if (isExpectedFailure(result)) return 'known'
  return result.fault === 'agent' ? 'failed' : 'broken'
}

/** The conversation, or the subtests of a script test, as plain text. Continued lines are indented. */
export function conversationText(result: CaseResult): string {
  const { view, logs, script } = result
  const skipped = skippedTurn(result)
  const lines = [
    ...(script?.subtests ?? []).map(
      ({ name, status, reason }) => `${status}: ${name}${reason === undefined ? '' : `: ${reason}`}`,
    ),
    ...view.history.map(({ role, content }) => `${role}: ${messageText(content)}`),
    ...view.turns.flatMap((turn) => turnLines(turn, mainConnector(view))),
    ...(skipped ? [`turn ${skipped.turn} skipped: ${skipped.skip_reason}`] : []),
    ...(logs.length === 0 ? [] : [`log:\n${logs.join('\n')}`]),
  ]
  return lines.map((line) => line.replaceAll('\n', '\n  ')).join('\n')
}

/** Names the connector of a turn only where it differs from `connector`, that of most turns. */
function turnLines(turn: Turn, connector: string | undefined): string[] {
  const { input, reply, error, description, simulated, lastUserCalls } = turn
  const by = reply?.connector === connector ? '' : ` (${reply?.connector ?? 'no connector'})`
  const said = {
    description,
    said: messageText(input.message.content),
    userCalls: simulated?.toolCalls,
    lastUserCalls,
  }
  if (reply === undefined) return spokenLines({ ...said, error: error ?? 'no reply' })
  return spokenLines({ ...said, by, answer: reply.content, toolCalls: reply.toolCalls })
}

interface Spoken {
  said: string
  /** What the author says the turn is about. */
  description?: string | undefined
  /** The tools that a simulated user called before its message. */
  userCalls?: readonly ToolCall[] | 'hidden' | undefined
  /** The same after the reply, without another message. */
  lastUserCalls?: readonly ToolCall[] | undefined
  toolCalls?: readonly ToolCall[] | 'hidden' | undefined
  /** Who answered, where that is worth a word. */
  by?: string
  answer?: string
  /** Why there is no answer. */
  error?: string
}

/** A turn as lines: the user, the tools, the agent. What they said goes through `write`. */
export function spokenLines(turn: Spoken, write = (text: string) => text): string[] {
  const { said, description, userCalls, toolCalls, lastUserCalls, by = '', answer = '', error } = turn
  const about = description === undefined ? '' : ` (${write(oneLine(description, 200))})`
  const callLines = (who: string, calls: Spoken['toolCalls'] = []) =>
    calls === 'hidden' ? [] : calls.map((call) => `${who}: ${write(callText(call))}`)
  const answered = error === undefined ? `agent${by}: ${write(answer)}` : `error: ${write(error)}`
  return [
    `user${about}: ${write(said)}`,
    ...callLines('tool of the user', userCalls),
    ...callLines('tool', toolCalls),
    answered,
    ...callLines('tool of the user', lastUserCalls),
  ]
}

function callText({ name, arguments: args, result, error, stubbed }: ToolCall): string {
  const came =
    error !== undefined ? `failed: ${error}` : result === undefined ? '' : shorten(messageText(result), 500)
  return `${name}(${JSON.stringify(args) ?? ''})${stubbed ? ' [stubbed]' : ''}${came === '' ? '' : ` → ${came}`}`
}
