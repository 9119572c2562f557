import type { Data } from '../../../results/transcript/message.ts'
import { validateInput } from './tool-schema.ts'

/** A tool of the AI SDK, which called its schema `parameters` before its version 5. */
export interface ExecutableTool {
  inputSchema?: unknown
  parameters?: unknown
  execute(args: unknown, options: Data): unknown
}

/** Calls a tool as the AI SDK does. */
export async function executeTool(
  tool: ExecutableTool,
  name: string,
  args: unknown,
  options: Data,
): Promise<unknown> {
  const input = await validateInput(tool.inputSchema ?? tool.parameters, args, name)
  return lastItem(await tool.execute(input, options))
}

/** A tool may report preliminary results; the last one counts. */
export async function lastItem(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result
  let last: unknown
  for await (const item of result as AsyncIterable<unknown>) last = item
  return last
}
