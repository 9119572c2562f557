import { describe, expect, it } from 'vitest'
import { createPlainScope } from '../scope/plain-scope.ts'
import { startFakeOpenAIServer } from './fakes/fake-openai-server.ts'
import { createOpenAIModel } from './openai-compatible.ts'

const request = { messages: [{ role: 'user' as const, content: 'Hi' }], tools: [], settings: {} }
const answerSchema = { type: 'object', properties: {} }

describe('the schema of an answer', () => {
  it('is sent as response_format', async () => {
    const server = await startFakeOpenAIServer({ answer: () => '{}' })
    const model = createOpenAIModel({ baseURL: server.url, model: 'm' })
    await model.generate({ ...request, answerSchema }, createPlainScope())
    await model.generate(request, createPlainScope())
    await server.close()
    const formats = server.requests.map(({ body: { response_format: format } }) => format)
    expect(formats).toEqual([
      { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: answerSchema } },
      undefined,
    ])
  })

  it('is left out, now and from then on, for a server that refuses it', async () => {
    const server = await startFakeOpenAIServer({
      answer: ({ response_format: format }) => (format ? { status: 400 } : '{}'),
    })
    const model = createOpenAIModel({ baseURL: server.url, model: 'm' })
    for (const _ of [1, 2]) await model.generate({ ...request, answerSchema }, createPlainScope())
    await server.close()
    expect(server.requests.map(({ body: { response_format: format } }) => format !== undefined)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is overridden by the response_format of the connector', async () => {
    const server = await startFakeOpenAIServer({ answer: () => '{}' })
    const format = { type: 'json_object' }
    const model = createOpenAIModel({
      baseURL: server.url,
      model: 'm',
      settings: { response_format: format },
    })
    await model.generate({ ...request, answerSchema }, createPlainScope())
    await server.close()
    expect(server.requests[0]?.body).toMatchObject({ response_format: format })
  })
})
