import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TokenUsage } from '../results/transcript/reply.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createAnthropicModel } from './anthropic.ts'
import { Limiter } from './limiter.ts'
import { createOpenAIModel } from './openai-compatible.ts'

interface Received {
  url: string | undefined
  authorization: string | undefined
  body: unknown
}

async function startServer(answer: (response: ServerResponse) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({
      url: request.url,
      authorization: request.headers.authorization,
      body: JSON.parse(body),
    })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

async function embed(texts: string[], answer: object, status = 200) {
  const { url, received } = await startServer((response) => {
    response.statusCode = status
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  const settings = { temperature: 0.5 }
  const price = { input: 1, output: 0 }
  const model = createOpenAIModel({ baseURL: url, model: 'small', apiKey: 'k', settings, price })
  const usages: (TokenUsage | undefined)[] = []
  const plain = createPlainScope()
  const scope: typeof plain = {
    ...plain,
    async exchange(exchange) {
      const response = await plain.exchange(exchange)
      usages.push(exchange.usage?.(response))
      return response
    },
  }
  return { vectors: await model.embed?.(texts, scope), received, usages }
}

describe('embeddings of an OpenAI-compatible server', () => {
  it('are requested in one call, with nothing but the texts', async () => {
    const { vectors, received, usages } = await embed(['a', 'b'], {
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [1, 0] },
      ],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    })
    expect(vectors).toEqual([
      [1, 0],
      [0, 2],
    ])
    expect(received).toEqual([
      { url: '/v1/embeddings', authorization: 'Bearer k', body: { model: 'small', input: ['a', 'b'] } },
    ])
    expect(usages).toEqual([{ inputTokens: 2, outputTokens: 0, cost: 0.000002 }])
  })

  it.each([
    ['has 1 embeddings for 2 texts', [{ embedding: [1] }]],
    ['has 0 embeddings for 2 texts', undefined],
    ['not a list of numbers', [{ embedding: [1] }, { embedding: ['1'] }]],
    ['not a list of numbers', [{ embedding: [1] }, {}]],
    ['of different lengths', [{ embedding: [1] }, { embedding: [1, 2] }]],
    ['all zeros', [{ embedding: [1, 1] }, { embedding: [0, 0] }]],
    ['without a direction', [{ embedding: [1, 1] }, { embedding: [1e-200, 0] }]],
  ])('that make no sense are refused: %s', async (message, data) => {
    await expect(embed(['a', 'b'], { data })).rejects.toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining(message),
    })
  })

  it('that are missing are an infrastructure error', async () => {
    const error = { message: 'no such model' }
    await expect(embed(['a'], { error }, 404)).rejects.toMatchObject({ kind: 'http', retryable: false })
    await expect(embed(['a'], { error }, 429)).rejects.toMatchObject({ kind: 'rate_limit' })
    await expect(embed(['a'], { error })).rejects.toMatchObject({ kind: 'http' })
  })

  it('respect the limits of the connector', async () => {
    let [running, most] = [0, 0]
    const { url } = await startServer((response) => {
      running += 1
      most = Math.max(most, running)
      setTimeout(() => {
        running -= 1
        response.setHeader('content-type', 'application/json').end('{"data":[{"embedding":[1]}]}')
      }, 20)
    })
    const limiter = new Limiter({ concurrency: 1 })
    const model = createOpenAIModel({ baseURL: url, model: 'small', limiter })
    await Promise.all(['a', 'b', 'c'].map((text) => model.embed?.([text], createPlainScope())))
    expect(most).toBe(1)
  })

  it('are not available from Anthropic', () => {
    expect(createAnthropicModel({ baseURL: 'http://127.0.0.1/v1', model: 'm' }).embed).toBeUndefined()
  })
})
