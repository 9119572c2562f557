import { countKeys, isRecord, parseJson } from '../../json/json.ts'
import { scanJson } from '../../json/scan-json.ts'
import { messageText } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Reading } from './ask-twice.ts'

type Answered = Pick<Reply, 'output' | 'content' | 'finishReason'>

/**
 * The one object or list that a whole answer is; undefined where there is none. A judge may quote what it judges: JSON
 * with other words around it may be somebody else's, and the words may take it back.
 */
export function wholeAnswer({ output, content, finishReason }: Answered): Reading<object | undefined> {
  if (isRecord(output) || Array.isArray(output)) return { value: output }
  // It may have been about to go on.
  if (finishReason === 'length') return { problem: 'was cut off' }
  return wholeJson(messageText(output) || content)
}

/** The same of a text: JSON alone, or in its only fence; what a model thought aloud before it does not count. */
export function wholeJson(text: string): Reading<object | undefined> {
  const json = unfenced(withoutThoughts(text).trim())
  const { end, keys } = scanJson(json, 0)
  if (end === undefined || end !== json.length) return { value: undefined }
  const value = parseJson(json)
  if (typeof value !== 'object' || value === null) return { value: undefined }
  // JSON.parse would keep the last of them.
  return keys > countKeys(value) ? { problem: 'has the same key twice' } : { value }
}

/** Only before the answer: within or after it, a tag may be quoted. */
function withoutThoughts(text: string): string {
  return text.replace(/^(?:\s*<(think|thinking)>[\s\S]*?<\/\1>)+/i, '')
}

/** The content of a text that is one fenced block. Another fence within it would not be JSON. */
function unfenced(text: string): string {
  const [, , content] = /^(`{3,}|~{3,})(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1$/i.exec(text) ?? []
  return (content ?? text).trim()
}
