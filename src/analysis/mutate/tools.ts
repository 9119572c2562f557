import type { ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { leafTexts } from './spoken.ts'

/** The calls that operators may change: those that are known, and did not fail. */
export function visibleCalls({ toolCalls }: Pick<Reply, 'toolCalls'>): ToolCall[] {
  return toolCalls === 'hidden' ? [] : toolCalls.filter(({ error }) => error === undefined)
}

/** The words of a name without that of its server: `menu__list` is `list`, `getUserDetails` is `get user details`. */
function nameWords(name: string): string[] {
  const own = name.split(/__|\./).at(-1) ?? name
  return own
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
}

const readingVerbs = new Set(
  'get list find search read look lookup fetch query show view check describe count calculate compute think stock price validate verify inspect browse retrieve status ask request confirm'.split(
    ' ',
  ),
)

/** Tools that change nothing, by their names: to call one twice is a waste and no mistake. */
export function isReading(name: string): boolean {
  return readingVerbs.has(nameWords(name)[0] ?? '')
}

const settingVerbs = /^(?:set|update|put|upsert|save|mark|select|choose|enable|disable|cancel|delete|remove)$/
const handsOver = /^(?:human|humans|agent|agents|support|operator|escalate|handoff)$/

/** To set, cancel or hand over something twice is the same as to do it once. */
export function isSetting(name: string): boolean {
  const words = nameWords(name)
  return settingVerbs.test(words[0] ?? '') || words.some((word) => handsOver.test(word))
}

/** An agent that does without them does the same. */
export function isThinking(name: string): boolean {
  return /^(?:think|thought|plan|note|calculate|compute)$/.test(nameWords(name)[0] ?? '')
}

const destructiveWords = /^(?:delete|remove|cancel|drop|erase|destroy|wipe|terminate|revoke|refund)$/

export function isDestructive(name: string): boolean {
  return nameWords(name).some((word) => destructiveWords.test(word))
}

/** Whether the later call needs the earlier one: both are about the same thing, and one of them changes it. */
export function dependsOn(later: ToolCall, earlier: ToolCall): boolean {
  if (isReading(later.name) && isReading(earlier.name)) return false
  const known = new Set(leafTexts([earlier.arguments, earlier.result]))
  return leafTexts(later.arguments).some((value) => known.has(value) && namesThing(value))
}

/** A code or an id, and not a kind of which there are many. */
function namesThing(value: string): boolean {
  return value.length > 2 && /\d/.test(value) && !/^\d{4}-\d{2}-\d{2}$/.test(value)
}

/** Fields with free text: another wording is no mistake. */
const freeText =
  /^(?:description|notes?|comments?|reasons?|summary|message|thoughts?|text|body|title|subject|explanation)$/i

/** Whether an argument can be written in one way only. */
export function isExact(value: string, path: readonly (string | number)[]): boolean {
  if (path.some((part) => typeof part === 'string' && freeText.test(part))) return false
  return value.trim() !== '' && value.length <= 60 && value.split(/\s+/).length <= 5
}
