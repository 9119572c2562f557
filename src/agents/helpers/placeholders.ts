import { textOrJson } from '../../json/json.ts'
import { type Data, messageText } from '../../results/transcript/message.ts'
import type { Role } from '../../results/usage.ts'
import { dataBlock } from './data-block.ts'

/** Parameters that hold what was said in the conversation; all others are the author's. */
const said = new Set(['output', 'input', 'conversation', 'last_answer'])

/**
 * The texts for `{{persona}}`, `{{conversation}}` and the like in the prompts of a helper, by parameter. A judge reads what
 * was said only as a block of data: in a prompt, it could be taken for an instruction.
 */
export function createPlaceholders(role: Role, params: Data): Record<string, string> {
  const text = (key: string, value: unknown) =>
    role === 'judge' && said.has(key) ? dataBlock([value].flat()) : toLines(value)
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, text(key, value)]))
}

/** A list is one JSON value per line. */
function toLines(value: unknown): string {
  if (!Array.isArray(value)) return messageText(value)
  return value.map((each) => textOrJson(each)).join('\n')
}
