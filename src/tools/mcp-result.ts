import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { parseJson } from '../json/json.ts'

/** The result of a call, or its error. */
export interface ToolOutcome {
  result?: unknown
  error?: string
}

/** The structured content where there is some, else the text, as data where it is JSON. */
export function toolOutcome(answer: CallToolResult): ToolOutcome {
  const text = answer.content.map(blockText).join('\n')
  if (answer.isError) return { error: text === '' ? 'the tool failed without saying why' : text }
  if (answer.structuredContent !== undefined) return { result: answer.structuredContent }
  // A number or a word that happens to be JSON was meant as text.
  const data = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  return { result: data ?? text }
}

/** What the result of a tool may have. */
const resultKeys = ['content', 'structuredContent', 'isError', '_meta', 'resultType']

/** Throws if a result has nothing that a tool may answer, but something else. */
export function refuseForeignResult(answer: CallToolResult): CallToolResult {
  const { content, structuredContent, isError } = answer
  if (content.length > 0 || structuredContent !== undefined || isError) return answer
  const foreign = Object.keys(answer).filter((key) => !resultKeys.includes(key))
  if (foreign.length === 0) return answer
  throw new Error(`it does not speak MCP: its result has ${foreign.join(', ')}, and no content`)
}

function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  if (block.type === 'resource') {
    return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`
  }
  return block.type === 'resource_link' ? block.uri : `[${block.type}]`
}
