import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { parseAmount } from '../results/transcript/reply.ts'
import { type Embedding, findVectorProblem } from './embeddings.ts'
import { type HttpRequest, sendRequest } from './http-client.ts'
import { asData, asList, asNumber } from './json.ts'
import type { Limiter } from './limiter.ts'
import type { Model } from './model.ts'
import { calculateCost, type Price } from './prices.ts'
import { type CalledEndpoint, createBadResponseError, createReadJson } from './read-answer.ts'

/** Embeds all texts in one call. */
export function createOpenAIEmbed(
  { model, price, limiter }: { model: string; price?: Price; limiter: Limiter },
  endpoint: Omit<HttpRequest, 'body'>,
  keySent: boolean,
): NonNullable<Model['embed']> {
  return async (texts, scope) => {
    const call = { ...endpoint, body: JSON.stringify({ model, input: texts }) }
    const sentRequest = { url: endpoint.url, keySent }
    const readBody = createReadJson(sentRequest, (answer) =>
      parseEmbeddings(sentRequest, answer, texts.length, price),
    )
    const { vectors } = await scope.exchange<Embedding>({
      target: `openai:${model}`,
      part: 'model',
      request: { model, input: texts },
      perform: (stop) => limiter.run(scope, () => sendRequest(call, stop, readBody)),
      usage: (embedded) => embedded.usage,
    })
    return vectors
  }
}

function parseEmbeddings(
  sentRequest: CalledEndpoint,
  answer: Data,
  texts: number,
  price: Price | undefined,
): Embedding {
  // Most servers keep the order of the texts; only the index is guaranteed.
  const items = asList(answer.data)
    .map((item, place) => ({ place: asNumber(asData(item)?.index) ?? place, item: asData(item) }))
    .sort((left, right) => left.place - right.place)
  const vectors = items.map(({ item }) => item?.embedding)
  const problem = findVectorProblem(vectors, texts)
  if (problem !== undefined) throw createBadResponseError(sentRequest, problem, JSON.stringify(answer))
  const usage = defined({ inputTokens: parseAmount(asData(answer.usage)?.prompt_tokens), outputTokens: 0 })
  return { vectors: vectors as number[][], usage: defined({ ...usage, cost: calculateCost(usage, price) }) }
}
