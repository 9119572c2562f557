import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { amountOf } from '../results/transcript/reply.ts'
import { type Embedded, vectorProblem } from './embeddings.ts'
import { type HttpRequest, send } from './http-client.ts'
import { dataOf, listOf, numberOf } from './json.ts'
import type { Limiter } from './limiter.ts'
import type { Model } from './model.ts'
import { costOf, type Price } from './prices.ts'
import { badResponse, createReadJson, type Endpoint } from './read-answer.ts'

/** Embeds all texts in one call. */
export function openAIEmbed(
  { model, price, limiter }: { model: string; price?: Price; limiter: Limiter },
  endpoint: Omit<HttpRequest, 'body'>,
  keySent: boolean,
): NonNullable<Model['embed']> {
  return async (texts, scope) => {
    const call = { ...endpoint, body: JSON.stringify({ model, input: texts }) }
    const sentRequest = { url: endpoint.url, keySent }
    const readBody = createReadJson(sentRequest, (answer) =>
      embeddedIn(sentRequest, answer, texts.length, price),
    )
    const { vectors } = await scope.exchange<Embedded>({
      target: `openai:${model}`,
      request: { model, input: texts },
      perform: (signal) => limiter.run(scope, () => send(call, signal, readBody)),
      usage: (embedded) => embedded.usage,
    })
    return vectors
  }
}

function embeddedIn(sentRequest: Endpoint, answer: Data, texts: number, price: Price | undefined): Embedded {
  // Most servers keep the order of the texts; only the index is guaranteed.
  const items = listOf(answer.data)
    .map((item, place) => ({ place: numberOf(dataOf(item)?.index) ?? place, item: dataOf(item) }))
    .sort((left, right) => left.place - right.place)
  const vectors = items.map(({ item }) => item?.embedding)
  const problem = vectorProblem(vectors, texts)
  if (problem !== undefined) throw badResponse(sentRequest, problem, JSON.stringify(answer))
  const usage = defined({ inputTokens: amountOf(dataOf(answer.usage)?.prompt_tokens), outputTokens: 0 })
  return { vectors: vectors as number[][], usage: defined({ ...usage, cost: costOf(usage, price) }) }
}
