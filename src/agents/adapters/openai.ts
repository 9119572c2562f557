import { defined } from '../../json/defined.ts'
import { findSecrets } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import { createOpenAIModel } from '../../models/openai-compatible.ts'
import { parseOpenAIReference } from '../../models/openai-reference.ts'
import { createOpenAIResponsesModel } from '../../models/openai-responses.ts'
import { findPrice, type Price, type Prices } from '../../models/prices.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { listMessages } from '../../results/transcript/turn.ts'
import type { Environment } from '../../system/environment.ts'
import { type Agent, plainSession } from '../agent.ts'
import { withProviderCalls } from '../provider-calls.ts'
import { seedSetting } from '../seed.ts'

/** A server of chat completions may run tools itself without reporting the calls. */
export function reportedCalls(reply: Reply): Reply {
  const { toolCalls } = reply
  if (toolCalls === 'hidden' || toolCalls.length > 0) return reply
  return Object.assign({}, reply, { toolCalls: 'hidden' as const })
}

/** Of everything that speaks chat completions. */
export const openAIDisclosure = {
  tools:
    'let the server answer with the `tool_calls` that it makes, or speak the Responses API, which has an item for each call',
  usage: 'let the server answer with `usage`',
}

const disclosures = { openai: openAIDisclosure, 'openai-responses': { usage: openAIDisclosure.usage } }

const models = { openai: createOpenAIModel, 'openai-responses': createOpenAIResponsesModel }

/** `openai:http://127.0.0.1:8080/v1#model`: any server with OpenAI's chat API, or its Responses API, as the agent. */
export function openAIAgent(
  reference: string,
  { network, env, prices }: { network: Network; env: Environment; prices?: Prices | undefined },
): { agent: Agent; secrets: string[]; isModel: true; price?: Price } {
  const { type, id, address, base, model } = parseOpenAIReference(reference, 'bad_agent')
  const apiKey = env.OPENAI_API_KEY
  const price = findPrice(prices, model)
  const endpoint = models[type]({
    baseURL: base,
    model,
    network,
    ...defined({ price }),
    ...(apiKey ? { apiKey } : {}),
  })
  const session = plainSession(async ({ input, view, options }, scope) => {
    const messages = [...listMessages(view), input.message]
    const request = { messages, tools: [], settings: seedSetting(options) }
    const reply = withProviderCalls(await endpoint.generate(request, scope), scope)
    // The Responses API has an item for each call.
    return type === 'openai' ? reportedCalls(reply) : reply
  })
  const agent: Agent = {
    id,
    input: 'messages',
    history: 'given',
    tools: 'reported',
    disclosure: disclosures[type],
    // Sessions share nothing, because every call is given the whole conversation.
    open: async () => session,
  }
  const secrets = [apiKey ?? '', ...findSecrets(address)].filter((secret) => secret !== '')
  return { agent, secrets, isModel: true, ...defined({ price }) }
}
