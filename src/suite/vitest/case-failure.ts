import { InfrastructureError } from '../../errors.ts'
import { asJson } from '../../json/as-json.ts'
import { fails } from '../../results/transcript/check-result.ts'
import type { ConversationTurn } from '../conversation-context.ts'
import type { PlayedResult } from '../results.ts'
import type { CasePlace } from './case-place.ts'
import { readThrown, safeError } from './safe-error.ts'
import { safeText } from './safe-text.ts'

type ShownPlay = Pick<
  PlayedResult<unknown, unknown>,
  'iteration' | 'error' | 'fault' | 'checks' | 'conversationHistory'
>

/** A play that did not pass, or that the test is not content with. */
export interface FailedPlay {
  play: ShownPlay
  fault: ShownPlay['fault']
  /** The error of its test: what an assertion threw, or what the case says. */
  thrown: unknown
}

const whoseFault = {
  agent: '',
  infrastructure: " (not the agent's fault)",
  viva: " (a bug of viva, not the agent's)",
}

/** The failure of a case: its reason, and the values that vitest shows the difference of. */
export function findFailure(play: ShownPlay): FailedPlay {
  const { error = 'it did not pass', fault, checks } = play
  const compared = checks.find((check) => fails(check) && 'expected' in check && 'actual' in check)
  const { expected, actual } = (compared ?? {}) as { expected?: unknown; actual?: unknown }
  return { play, fault, thrown: { message: safeText(error), expected, actual } }
}

/** The failure of what the test looked at. What is not the agent's fault is said by the kind of the error. */
export function blameFor(play: ShownPlay, thrown: unknown): FailedPlay {
  const isInfrastructure = readThrown(thrown, 'name') === InfrastructureError.name
  return { play, fault: isInfrastructure ? 'infrastructure' : 'agent', thrown }
}

/**
 * The error of a test: the reason with the conversation, and the line of the case. What assertions of the test threw keeps
 * its own place.
 */
export function createFailure(
  { play, fault, thrown }: FailedPlay,
  place: CasePlace | undefined,
  about = '',
): Error {
  const said = describeConversation(play)
  const say = (message: string) => `${about}${message}${whoseFault[fault ?? 'agent']}\n\n${said}`
  return safeError(thrown, { place, say })
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
