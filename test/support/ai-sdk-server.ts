import { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool, type UIMessage } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test'
import { type Data, pieces, type Served, textOf } from './format-server.ts'

/** A real server of the AI SDK, with a mock model and a real tool: the answer after a tool call is a second step. */
export async function serveUI({ body, response, mind }: Served): Promise<void> {
  const usage = {
    inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 2, text: 2, reasoning: 0 },
  }
  const model = new MockLanguageModelV3({
    async doStream({ prompt }) {
      const said = prompt.map(({ role, content }) => ({ role, content: textOf(content) }))
      const thought = mind(said)
      if (thought === 'hang') return new Promise(() => {})
      const isSecondStep = prompt.at(-1)?.role === 'tool'
      const calls = isSecondStep ? [] : (thought.toolCalls ?? [])
      const finishReason = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const)
      return {
        stream: convertArrayToReadableStream([
          { type: 'stream-start' as const, warnings: [] },
          ...calls.flatMap(({ name, arguments: input }, index) => {
            const id = `call-${said.length}-${index}`
            const text = JSON.stringify(input)
            return [
              { type: 'tool-input-start' as const, id, toolName: name },
              { type: 'tool-input-delta' as const, id, delta: text.slice(0, 4) },
              { type: 'tool-input-delta' as const, id, delta: text.slice(4) },
              { type: 'tool-input-end' as const, id },
              { type: 'tool-call' as const, toolCallId: id, toolName: name, input: text },
            ]
          }),
          ...(calls.length > 0 ? [] : textParts(thought.text)),
          { type: 'finish' as const, finishReason: { unified: finishReason, raw: finishReason }, usage },
        ]),
      }
    },
  })
  const inputSchema = jsonSchema<Data>({ type: 'object', additionalProperties: true })
  const create_expense = tool({ inputSchema, execute: async (input) => ({ filed: true, ...input }) })
  /** The client runs it. */
  const ask_user = { inputSchema }
  const result = streamText({
    model,
    tools: { create_expense, ask_user },
    experimental_repairToolCall: async ({ toolCall }) => ({
      ...toolCall,
      toolName: toolCall.toolName.toLowerCase(),
    }),
    messages: await convertToModelMessages(body.messages as UIMessage[]),
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    onError: () => {},
  })
  result.pipeUIMessageStreamToResponse(response, {
    onError: (error) => (error as Error).message,
    messageMetadata: ({ part }) => (part.type === 'finish' ? { usage: part.totalUsage } : undefined),
  })
}

function textParts(text: string) {
  return [
    { type: 'text-start' as const, id: '1' },
    ...pieces(text).map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end' as const, id: '1' },
  ]
}
