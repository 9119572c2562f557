import type { Simulated, View } from '../results/transcript/turn.ts'
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
  /** The value of goal_achieved if it is not a boolean. */
  wrongGoal?: unknown
  reasoning?: string
}

/** What is wrong with an answer, for the simulator and for the report. */
type Guard = (answer: SimulatorAnswer, view: View) => string | undefined

/** Answers that no user would give: if they were sent, the agent would be blamed. The first problem is reported. */
const guards: readonly Guard[] = [
  ({ cutOff }) => (cutOff ? 'it was cut off' : undefined),
  ({ wrongGoal }) =>
    wrongGoal === undefined
      ? undefined
      : `its goal_achieved is ${JSON.stringify(wrongGoal)}, must be true or false`,
  ({ goalAchieved }, view) =>
    goalAchieved && view.turns.length === 0
      ? 'it says that the goal is achieved before the conversation has begun'
      : undefined,
  ({ message, goalAchieved }) => (message === '' && !goalAchieved ? 'it says nothing' : undefined),
  ({ message }) => {
    const leak = leaks.find(({ pattern }) => pattern.test(message))
    return leak && `it shows ${leak.what} instead of a message: ${shown(message)}`
  },
  ({ message }, view) => {
    const swapped = speaksAsAgent(message) || isEcho(message, view.turns.at(-1)?.reply?.content ?? '')
    return swapped ? `it speaks as the agent, not as the user: ${shown(message)}` : undefined
  },
  // A user may repeat a message if the agent repeats its reply.
  ({ message }, view) =>
    isRepeated(message, ownMessages(view)) && !agentRepeats(view)
      ? `it repeats itself: ${shown(message)}`
      : undefined,
  ({ notJson, message }) => (notJson ? `it did not answer with JSON: ${shown(message)}` : undefined),
]

export function unusable(answer: SimulatorAnswer, view: View): string | undefined {
  for (const guard of guards) {
    const problem = guard(answer, view)
    if (problem !== undefined) return problem
  }
  return undefined
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
const asAssistant = new RegExp(
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

export function speaksAsAgent(message: string): boolean {
  return asAssistant.test(message)
}

const shortEcho = 20

/** Whether the message is almost the same as the agent's reply. Short texts are often the same on both sides. */
function isEcho(message: string, reply: string): boolean {
  const [own, other] = [normal(message), normal(reply)]
  if (own.length < shortEcho || Math.abs(own.length - other.length) > own.length / 10) return false
  return editDistance(own.slice(0, longestCompared), other.slice(0, longestCompared)) <= own.length / 10
}

const longestCompared = 2000

/** People do say "yes" twice, but they do not repeat a sentence, or a word three times. */
function isRepeated(message: string, said: readonly string[]): boolean {
  const own = normal(message)
  const [last, before] = said.slice(-2).reverse().map(normal)
  return own === last && (own.length > shortEcho || own === before)
}

function agentRepeats({ turns }: View): boolean {
  const [last, before] = turns
    .slice(-2)
    .reverse()
    .map(({ reply }) => normal(reply?.content ?? ''))
  return last !== undefined && last !== '' && last === before
}

function ownMessages(view: View): string[] {
  return view.turns
    .filter(({ source }) => source === 'simulated')
    .map(({ input }) => (typeof input.value === 'string' ? input.value : ''))
}

function normal(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function shown(message: string): string {
  return JSON.stringify(message.length > 120 ? `${message.slice(0, 120)}…` : message)
}
