import { defined } from '../defined.ts'
import { ConfigError } from '../errors.ts'
import { createOpenAIModel } from '../models/openai-compatible.ts'
import { findPrice, type Price, type Prices } from '../models/prices.ts'
import { agentToShow, secretsIn, urlToShow } from '../network/address.ts'
import type { Network } from '../network/network.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent } from './agent.ts'
import { seedOf } from './seed.ts'

/** `openai:http://127.0.0.1:8080/v1#model`: whatever speaks the OpenAI chat API is the agent. */
export function openAIAgent(
  reference: string,
  network: Network,
  prices?: Prices,
): { agent: Agent; secrets: string[]; price?: Price } {
  const { address, model } = parseReference(reference)
  const apiKey = process.env.OPENAI_API_KEY
  const price = findPrice(prices, model)
  const endpoint = createOpenAIModel({
    baseURL: address.href.replace(/\/+$/, ''),
    model,
    network,
    ...defined({ price }),
    ...(apiKey ? { apiKey } : {}),
  })
  const agent: Agent = {
    // Without the credentials that an address may hold: ids are printed.
    id: `openai:${urlToShow(address).replace(/\/+$/, '')}#${model}`,
    input: 'messages',
    history: 'given',
    tools: 'reported',
    async open() {
      return {
        async send({ input, view, options }, scope) {
          const messages = [...messagesOf(view), input.message]
          const reply = await endpoint.generate({ messages, tools: [], settings: seedOf(options) }, scope)
          // It may run tools of its own and tell only what came of it.
          return reply.toolCalls.length === 0 ? { ...reply, toolCalls: 'hidden' } : reply
        },
        async close() {},
      }
    },
  }
  const secrets = [apiKey ?? '', ...secretsIn(address)].filter((secret) => secret !== '')
  return { agent, secrets, ...defined({ price }) }
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
    message: `${agentToShow(reference)}: not an OpenAI endpoint`,
    hint: 'write openai:http://host:port/v1#model',
  })
}
