import { ConfigError } from '../errors.ts'
import { createOpenAIModel } from '../models/openai-compatible.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent } from './agent.ts'

/** `openai:http://127.0.0.1:8080/v1#model`: whatever speaks the OpenAI chat API is the agent. */
export function openAIAgent(reference: string, connections: number): { agent: Agent; secrets: string[] } {
  const [address = '', model = ''] = splitOnce(reference.slice('openai:'.length), '#')
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol) || model === '') {
    throw new ConfigError({
      code: 'bad_agent',
      message: `${reference}: not an OpenAI endpoint`,
      hint: 'write openai:http://host:port/v1#model',
    })
  }
  const apiKey = process.env.OPENAI_API_KEY
  const endpoint = createOpenAIModel({
    baseURL: address.replace(/\/+$/, ''),
    model,
    connections,
    ...(apiKey ? { apiKey } : {}),
  })
  const agent: Agent = {
    id: reference,
    input: 'messages',
    history: 'given',
    tools: 'reported',
    async open() {
      return {
        send: (input, view, _options, scope) =>
          endpoint.generate(
            { messages: [...messagesOf(view), input.message], tools: [], settings: {} },
            scope,
          ),
        async close() {},
      }
    },
  }
  return { agent, secrets: apiKey ? [apiKey] : [] }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
