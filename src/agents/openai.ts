import { ConfigError } from '../errors.ts'
import { secretsIn } from '../models/http-errors.ts'
import { createOpenAIModel } from '../models/openai-compatible.ts'
import type { Network } from '../network/network.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent } from './agent.ts'

/** `openai:http://127.0.0.1:8080/v1#model`: whatever speaks the OpenAI chat API is the agent. */
export function openAIAgent(reference: string, network: Network): { agent: Agent; secrets: string[] } {
  const { address, model } = parseReference(reference)
  const apiKey = process.env.OPENAI_API_KEY
  const endpoint = createOpenAIModel({
    baseURL: address.href.replace(/\/+$/, ''),
    model,
    network,
    ...(apiKey ? { apiKey } : {}),
  })
  const agent: Agent = {
    // Without the credentials that an address may hold: ids are printed.
    id: `openai:${address.origin}${address.pathname.replace(/\/+$/, '')}#${model}`,
    input: 'messages',
    history: 'given',
    tools: 'reported',
    async open() {
      return {
        send: ({ input, view }, scope) =>
          endpoint.generate(
            { messages: [...messagesOf(view), input.message], tools: [], settings: {} },
            scope,
          ),
        async close() {},
      }
    },
  }
  return { agent, secrets: [apiKey ?? '', ...secretsIn(address)].filter((secret) => secret !== '') }
}

function parseReference(reference: string): { address: URL; model: string } {
  const rest = reference.slice('openai:'.length)
  const at = rest.indexOf('#')
  const model = at === -1 ? '' : rest.slice(at + 1)
  const address = at === -1 ? rest : rest.slice(0, at)
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && model !== '') {
    return { address: new URL(address), model }
  }
  throw new ConfigError({
    code: 'bad_agent',
    message: `${reference.replace(/\/\/[^/@]*@/, '//')}: not an OpenAI endpoint`,
    hint: 'write openai:http://host:port/v1#model',
  })
}
