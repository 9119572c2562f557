import { asJson } from '../../json/as-json.ts'
import { fails } from '../../results/transcript/check-result.ts'
import type { ConversationTurn } from '../conversation-context.ts'
import type { PlayedResult } from '../results.ts'
import type { CasePlace } from './case-place.ts'
import { safeMessage, safeText, safeValue } from './safe-text.ts'

type ShownPlay = Pick<
  PlayedResult<unknown, unknown>,
  'iteration' | 'error' | 'fault' | 'checks' | 'conversationHistory'
>

/** A play that did not pass: with what the case says, or what the test looked at. */
export interface FailedPlay {
  play: ShownPlay
  /** What the assertions of the test threw; absent where the case itself did not pass. */
  thrown?: unknown
}

const whoseFault = {
  agent: '',
  infrastructure: " (not the agent's fault)",
  viva: " (a bug of viva, not the agent's)",
}

/**
 * The error of a test: the reason with the conversation, the values that vitest shows the difference of, and the line of
 * the case. What assertions of the test threw keeps its own place.
 */
export function createFailure(
  { play, thrown }: FailedPlay,
  place: CasePlace | undefined,
  about = '',
): unknown {
  const said = safeText(describeConversation(play))
  if (thrown instanceof Error) {
    thrown.message = `${about}${safeMessage(thrown.message)}\n\n${said}`
    return Object.assign(thrown, safeValues(thrown))
  }
  if (thrown !== undefined) return thrown
  const { error: reason = 'it did not pass', fault = 'agent' } = play
  const failure = new Error(`${about}${safeText(reason)}${whoseFault[fault]}\n\n${said}`)
  pointAt(failure, place)
  const compared = play.checks.find((check) => fails(check) && 'expected' in check && 'actual' in check)
  return compared === undefined ? failure : Object.assign(failure, safeValues(compared))
}

/** Lets vitest show the line of the case. */
export function pointAt<Failure>(failure: Failure, place: CasePlace | undefined): Failure {
  if (failure instanceof Error && place !== undefined)
    failure.stack = `${failure.name}: ${failure.message}\n    at ${place.file}:${place.line}:${place.column}`
  return failure
}

/** The values that vitest shows the difference of. */
function safeValues(compared: object): { expected?: unknown; actual?: unknown } {
  if (!('expected' in compared && 'actual' in compared)) return {}
  return { expected: safeValue(compared.expected), actual: safeValue(compared.actual) }
}

/** What was said, and the tools that were called: all there is in the output of a test run. */
function describeConversation({ conversationHistory }: ShownPlay): string {
  return conversationHistory.flatMap(describeTurn).join('\n')
}

function describeTurn({ turn, input, output, toolCalls, error }: ConversationTurn): string[] {
  const calls = toolCalls.map(({ name, arguments: args, result, error: failed }) => {
    const answer = failed === undefined ? JSON.stringify(asJson(result)) : `failed: ${failed}`
    return `${turn} tool: ${name}(${JSON.stringify(asJson(args)) ?? ''})${answer === undefined ? '' : ` → ${answer}`}`
  })
  const answered = error === undefined ? `agent: ${JSON.stringify(asJson(output))}` : `error: ${error}`
  return [`${turn} user: ${JSON.stringify(asJson(input))}`, ...calls, `${turn} ${answered}`]
}
