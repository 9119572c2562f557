import type { ServerResponse } from 'node:http'
import { EventType } from '@ag-ui/core'
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas'
import { type Data, pieces, type Served, sendEvents, textOf, thinkOrFail } from './format-server.ts'

/** A server of AG-UI whose input and events are those of the protocol's own library, which throws for all others. */
export function serveAGUI({ body, response, mind }: Served): void {
  const input = RunAgentInputSchema.safeParse(body)
  if (!input.success) {
    refuse(response, input.error.message)
    return
  }
  const { threadId, runId, messages } = input.data
  const said = messages.map(({ role, content }) => ({ role, content: textOf(content) }))
  const thought = thinkOrFail(mind, said)
  if (thought === 'hang') return
  const start = { type: EventType.RUN_STARTED, threadId, runId }
  if ('error' in thought) {
    sendRun(response, [start, { type: EventType.RUN_ERROR, message: thought.error }])
    return
  }
  const messageId = `answer-${messages.length}`
  sendRun(response, [
    start,
    ...(thought.toolCalls ?? []).flatMap(({ name, arguments: given }, index) => {
      const toolCallId = `call-${messages.length}-${index}`
      const text = JSON.stringify(given)
      return [
        { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: name },
        { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: text.slice(0, 4) },
        { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: text.slice(4) },
        { type: EventType.TOOL_CALL_END, toolCallId },
        {
          type: EventType.TOOL_CALL_RESULT,
          messageId: `${toolCallId}-result`,
          toolCallId,
          content: '{"filed":true}',
        },
      ]
    }),
    { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' },
    ...pieces(thought.text).map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta })),
    { type: EventType.TEXT_MESSAGE_END, messageId },
    { type: EventType.RUN_FINISHED, threadId, runId, usage: [{ inputTokens: 3, outputTokens: 2 }] },
  ])
}

function sendRun(response: ServerResponse, events: readonly Data[]): void {
  sendEvents(
    response,
    events.map((event) => EventSchemas.parse(event)),
  )
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
}
