import { defined } from '../../json/defined.ts'
import { findSecrets } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import { createOpenAIModel } from '../../models/openai-compatible.ts'
import { parseOpenAIReference } from '../../models/openai-reference.ts'
import { findPrice, type Price, type Prices } from '../../models/prices.ts'
import { listMessages } from '../../results/transcript/turn.ts'
import type { Environment } from '../../system/environment.ts'
import { type Agent, plainSession } from '../agent.ts'
import { seedSetting } from '../seed.ts'

/** The server may run tools itself without reporting the calls. */
const hiddenTools = { toolCalls: 'hidden' } as const

/** `openai:http://127.0.0.1:8080/v1#model`: any server with the OpenAI chat API as the agent. */
export function openAIAgent(
  reference: string,
  { network, env, prices }: { network: Network; env: Environment; prices?: Prices | undefined },
): { agent: Agent; secrets: string[]; price?: Price } {
  const { id, address, base, model } = parseOpenAIReference(reference, 'bad_agent')
  const apiKey = env.OPENAI_API_KEY
  const price = findPrice(prices, model)
  const endpoint = createOpenAIModel({
    baseURL: base,
    model,
    network,
    ...defined({ price }),
    ...(apiKey ? { apiKey } : {}),
  })
  const session = plainSession(async ({ input, view, options }, scope) => {
    const messages = [...listMessages(view), input.message]
    const request = { messages, tools: [], settings: seedSetting(options) }
    const reply = await endpoint.generate(request, scope)
    return reply.toolCalls.length === 0 ? Object.assign({}, reply, hiddenTools) : reply
  })
  const agent: Agent = {
    id,
    input: 'messages',
    history: 'given',
    tools: 'reported',
    // Sessions share nothing, because every call is given the whole conversation.
    open: async () => session,
  }
  const secrets = [apiKey ?? '', ...findSecrets(address)].filter((secret) => secret !== '')
  return { agent, secrets, ...defined({ price }) }
}
