import type { Plan } from '../../conversation/plan.ts'
import { messageText } from '../../results/transcript/message.ts'

/** What playing a case asks of the agent's model. */
export interface Load {
  calls: number
  inputTokens: number
  outputTokens: number
}

/** A rough average over languages and tokenizers. */
const charactersPerToken = 4
/** Of a reply, and of a message that somebody has yet to think of. */
export const assumedReplyTokens = 250
const assumedMessageTokens = 50
/** For one message of a simulator: an answer that cannot be used is asked for again. */
const askedAtMost = 2

function tokensIn(content: unknown): number {
  return Math.ceil(messageText(content).length / charactersPerToken)
}

/**
 * What a case will come to, before anything is asked: with the messages that are known, and with as many as
 * somebody may add. Rounds of tool calls and retries are not in it: nobody can know them.
 */
export function estimatePlan(
  plan: Plan,
  promptLength: number,
): { least: Load; most: Load /** Most calls to the simulator. */; simulated: number } {
  const known = plan.sources.flatMap((source) => source.known ?? [])
  const open = plan.sources.some((source) => source.known === undefined) && !plan.singleTurn
  const history = plan.history.reduce((sum, { content }) => sum + tokensIn(content), 0)
  const inputs = known.map(({ say }) => tokensIn(say.message.content))
  const load = (turns: number): Load => {
    let said = Math.ceil(promptLength / charactersPerToken) + history
    let inputTokens = 0
    for (let turn = 0; turn < turns; turn++) {
      said += inputs[turn] ?? assumedMessageTokens
      inputTokens += said
      said += assumedReplyTokens
    }
    return { calls: turns, inputTokens, outputTokens: turns * assumedReplyTokens }
  }
  const least = Math.max(1, known.length)
  const most = open ? Math.max(least, plan.maxTurns) : least
  const simulated = open && plan.sources.some(({ kind }) => kind === 'simulator')
  // At the limit it is asked once more, whether all has been said.
  const messages = most - known.length + 1
  return { least: load(least), most: load(most), simulated: simulated ? messages * askedAtMost : 0 }
}
