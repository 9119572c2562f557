import type { Reply } from '../../results/transcript/reply.ts'
import type { Awaiting } from '../../results/transcript/turn.ts'
import { compilePattern } from '../../text/pattern.ts'
import { isToolName } from '../../text/tool-name.ts'
import type { Act } from './act-rule.ts'
import { classifySentence, isAnswer, isRhetorical } from './acts.ts'
import { lastSentences, type Sentence } from './sentences.ts'

/** Detects whether the agent waits for an answer. */
export type DetectAwaiting = (reply: Reply) => Awaiting

/** Rules that a project adds to the built-in ones; patterns are in RE2 syntax and matched against each sentence. */
export interface AwaitingSettings {
  /** Tools with which the agent asks its user. */
  tools?: readonly string[] | undefined
  /** Sentences that ask. */
  patterns?: readonly string[] | undefined
  /** Sentences that do not ask, even if they look like a question. */
  not?: readonly string[] | undefined
}

const askingTools = ['request_confirmation', 'ask_user', 'get_user_input']

type Classify = (sentence: Sentence) => Act | undefined

export function createAwaitingDetector(settings: AwaitingSettings = {}): DetectAwaiting {
  const tools = [...askingTools, ...(settings.tools ?? [])]
  const asking = (settings.patterns ?? []).map(compilePattern)
  const notAsking = (settings.not ?? []).map(compilePattern)
  const classify: Classify = (sentence) => {
    if (notAsking.some((pattern) => pattern.test(sentence.text))) return 'courtesy'
    return asking.some((pattern) => pattern.test(sentence.text)) ? 'request' : classifySentence(sentence)
  }
  return (reply) => detect(reply, tools, classify)
}

/** The detector with the built-in rules only. */
export const detectAwaiting: DetectAwaiting = createAwaitingDetector()

/** What the agent declares wins over its tools, its finish reason and its text, in this order. */
function detect(reply: Reply, tools: readonly string[], classify: Classify): Awaiting {
  if (reply.awaitingInput !== undefined) return { awaiting: reply.awaitingInput, reason: 'agent_declared' }

  const calls = reply.toolCalls === 'hidden' ? [] : reply.toolCalls
  const call = calls.find(({ name }) => tools.some((tool) => isToolName(name, tool)))
  if (call) return { awaiting: true, reason: 'tool_requires_confirmation', match: call.name }

  if (reply.finishReason === 'length' || reply.finishReason === 'tool_calls') {
    return { awaiting: false, reason: 'finish_reason', match: reply.finishReason }
  }
  return readContent(reply.content, classify)
}

interface ClassifiedSentence extends Sentence {
  act: Act | undefined
}

/** A question may be followed by at most this many statements. Options in a list do not count. */
const maxStatementsAfter = 4

/** Reads from the end: offers and courtesies are skipped, and the last sentence that asks something decides. */
function readContent(content: string, classify: Classify): Awaiting {
  const spoken: ClassifiedSentence[] = []
  for (const sentence of lastSentences(content)) {
    const { text, place } = sentence
    spoken.push({ text, place, act: classify(sentence) })
  }
  let statements = 0
  for (let index = spoken.length - 1; index >= 0; index--) {
    const sentence = spoken[index] as ClassifiedSentence
    const { act, text, place } = sentence
    if ((act === 'question' || act === 'request') && expectsAnswer(sentence, spoken[index + 1])) {
      return { awaiting: true, reason: `content_is_${act}`, match: text }
    }
    if (place === 'text' && act !== 'offer' && act !== 'courtesy') statements += 1
    if (statements > maxStatementsAfter) break
  }
  const refusal = findRefusal(spoken)
  if (refusal) return { awaiting: true, reason: 'request_refused', match: refusal.text }
  const offer = spoken.findLast(({ act }) => act === 'offer')
  const completed: Awaiting = { awaiting: false, reason: 'completed' }
  if (offer !== undefined) completed.match = offer.text
  return completed
}

/** A title does not ask for an answer, nor does a question that the next sentence answers. */
function expectsAnswer(asking: ClassifiedSentence, next: ClassifiedSentence | undefined): boolean {
  if (asking.act !== 'question' || next?.place !== 'text' || next.act !== undefined) return true
  return asking.place !== 'title' && !isRhetorical(asking.text) && !isAnswer(next.text)
}

/** After a reply that begins with a refusal, or refuses and offers other help, it is the user's turn. */
function findRefusal(spoken: readonly ClassifiedSentence[]): ClassifiedSentence | undefined {
  const beginning = spoken.find(({ act }) => act !== 'courtesy')
  if (beginning?.act === 'refusal') return beginning
  return spoken.some(({ act }) => act === 'offer') ? spoken.find(({ act }) => act === 'refusal') : undefined
}
