import type { Simulated } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { editDistance } from '../text/edit-distance.ts'

/** What a simulator's answer comes to. */
export interface SimulatorAnswer {
  format: Simulated['format']
  message: string
  goalAchieved: boolean
  /** The model ran out of tokens. */
  cutOff?: boolean
  /** It was asked for JSON, but wrote something else. */
  notJson?: boolean
  /** What a message looks like is up to its author: it may be JSON. */
  isFree?: boolean
  /** What it said instead of true or false. */
  wrongGoal?: unknown
  reasoning?: string
}

/** What was said before: messages of the same simulator, and all replies, the last ones last. */
export interface SaidBefore {
  own: readonly string[]
  replies: readonly string[]
}

/** What is wrong with an answer, for the simulator and for the report. */
type Guard = (answer: SimulatorAnswer, before: SaidBefore) => string | undefined

/** Answers that no user would give: if they were sent, the agent would be blamed. The first problem is reported. */
const guards: readonly Guard[] = [
  ({ cutOff }) => (cutOff ? 'was cut off' : undefined),
  ({ wrongGoal }) =>
    wrongGoal === undefined
      ? undefined
      : `gives ${JSON.stringify(wrongGoal)} for goal_achieved, must be true or false`,
  ({ goalAchieved }, { replies }) =>
    goalAchieved && replies.length === 0
      ? 'says that the goal is achieved before the conversation has begun'
      : undefined,
  ({ message, goalAchieved }) => (message === '' && !goalAchieved ? 'says nothing' : undefined),
  ({ message, isFree }) => {
    const leak = leaks.find(({ what, pattern }) => !(isFree && what === 'JSON') && pattern.test(message))
    return leak && `shows ${leak.what} instead of a message: ${quoteShort(message)}`
  },
  ({ message }, { replies }) => {
    const swapped = assistantPhrases.test(message) || isEcho(message, replies.at(-1) ?? '')
    return swapped ? `speaks as the agent, not as the user: ${quoteShort(message)}` : undefined
  },
  // To an agent that says the same again, a user does too: that is the agent's doing.
  ({ message }, { own, replies }) =>
    isRepeated(message, own) && !agentRepeats(replies) ? `repeats itself: ${quoteShort(message)}` : undefined,
  ({ notJson, message }) => (notJson ? `did not answer with JSON: ${quoteShort(message)}` : undefined),
]

function problemWith(answer: SimulatorAnswer, before: SaidBefore): string | undefined {
  for (const guard of guards) {
    const problem = guard(answer, before)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** An answer is looked at before it is sent. A simulator gets one more chance, brief why; then it is broken. */
export async function usableAnswer(
  ask: (problem?: string) => Promise<SimulatorAnswer>,
  before: SaidBefore,
  scope: Pick<Scope, 'log'>,
  who = 'it',
): Promise<{ answer: SimulatorAnswer; rejected?: string }> {
  const first = await ask()
  const problem = problemWith(first, before)
  if (problem === undefined) return { answer: first }
  const rejected = `it ${problem}`
  scope.log(`the simulator's answer could not be used: ${rejected}; it is asked again`)
  const answer = await ask(rejected)
  const again = problemWith(answer, before)
  if (again !== undefined) throw new Error(`${who} ${again} (asked twice)`)
  return { answer, rejected }
}

const leaks = [
  {
    what: 'its reasoning',
    pattern: /<\/?(?:think|thinking|reasoning|scratchpad)>|^\s*(?:reasoning|thought|thinking)\s*:/im,
  },
  { what: 'JSON', pattern: /^\s*(?:```|[{[]\s*")|"?\b(?:goal_achieved|turn_number)"?\s*:/i },
  {
    what: 'its instructions',
    pattern: /\{\{\w+\}\}|\b(?:simulat(?:ed|ing) (?:a |the )?user|as the user, I would)\b/i,
  },
]

/** Phrases that assistants use and users do not. */
const assistantPhrases = new RegExp(
  [
    /^\s*(?:assistant|agent|ai|bot|user|human)\s*:/,
    /\bi am the (?:assistant|agent)\b|\bas an ai\b/,
    /\bhow (?:can|may) i (?:help|assist) you\b|\bi(?:'m| am) here to (?:help|assist)\b/,
    /\b(?:i'd|i would|i'm|i am) (?:be )?happy to (?:help|assist) you\b/,
    /\bis there anything else (?:that )?i can (?:help|assist|do)\b/,
    /\bthank(?:s| you) for (?:contacting|reaching out|providing|your patience)\b/,
    /\bi apologi[sz]e for (?:the|any) inconvenience\b/,
    /\b(?:can|could|would) you (?:please )?(?:provide|share|confirm) your\b|\bplease provide (?:me with )?your\b/,
    /\bwould you like me to\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

const minEchoLength = 20

/** Whether the message is almost the same as the agent's reply. Short texts are often the same on both sides. */
function isEcho(message: string, reply: string): boolean {
  const [own, other] = [normalizeText(message), normalizeText(reply)]
  if (own.length < minEchoLength || Math.abs(own.length - other.length) > own.length / 10) return false
  return editDistance(own.slice(0, maxComparedLength), other.slice(0, maxComparedLength)) <= own.length / 10
}

const maxComparedLength = 2000

/** People do say "yes" twice, but they do not repeat a sentence, or a word three times. */
function isRepeated(message: string, said: readonly string[]): boolean {
  const own = normalizeText(message)
  const [last, before] = said.slice(-2).reverse().map(normalizeText)
  return own === last && (own.length > minEchoLength || own === before)
}

function agentRepeats(replies: readonly string[]): boolean {
  const [last, before] = replies.slice(-2).reverse().map(normalizeText)
  return last !== undefined && last !== '' && last === before
}

function normalizeText(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function quoteShort(message: string): string {
  return JSON.stringify(message.length > 120 ? `${message.slice(0, 120)}…` : message)
}
