import type { HttpAgentConfig } from '../../project/http-agent-schema.ts'

const inputNames =
  'message input question query prompt text content msg user_input userInput user_message userMessage'.split(
    ' ',
  )
const sessionNames =
  'session_id sessionId conversation_id conversationId thread_id threadId chat_id chatId session'.split(' ')
const replyNames = 'reply answer response output content text message result completion'.split(' ')
const callNames = ['tool_calls', 'toolCalls']

/** The names that a handler reads from the body of a request, and those that it answers with. */
export interface HandlerFields {
  read: readonly string[]
  answered: readonly string[]
}

/** What is sent and read, by the usual names of fields. */
export interface HttpGuess {
  mapping: Omit<HttpAgentConfig, 'url'>
  /** Whether the agent gets or keeps the conversation. */
  remembers: boolean
  /** Whether there is a field for the message of the user. */
  isCertain: boolean
}

export function guessMapping({ read, answered }: HandlerFields): HttpGuess {
  const firstOf = (names: readonly string[], fields: readonly string[]) =>
    names.find((name) => fields.includes(name))
  const input = firstOf(inputNames, read)
  const session = firstOf(sessionNames, read)
  const request: Record<string, string> = {}
  if (input !== undefined) request[input] = '{{input}}'
  if (session !== undefined) request[session] = '{{sessionId}}'
  if (read.includes('history')) request.history = '{{history}}'
  if (read.includes('messages')) request.messages = '{{messages}}'
  for (const name of ['user_id', 'userId']) if (read.includes(name)) request[name] = '{{userId}}'
  const isCertain = input !== undefined || read.includes('messages')
  const reply = firstOf(replyNames, answered)
  const calls = firstOf(callNames, answered)
  const response = {
    ...(reply === undefined ? {} : { content: `$.${reply}` }),
    ...(calls === undefined ? {} : { tool_calls: `$.${calls}?` }),
  }
  return {
    mapping: {
      ...(isCertain ? { request } : {}),
      ...(reply === undefined ? {} : { response }),
    },
    // Without a mapping, viva sends the history and an id of the conversation.
    remembers: !isCertain || session !== undefined || read.includes('history') || read.includes('messages'),
    isCertain,
  }
}
