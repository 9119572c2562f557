/** Makes the calls of bench/parts/clients.mjs with one client and exits. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [name, url, calls, parallel, built] = process.argv.slice(2)
const endpoint = `${url}/chat/completions`
const apiKey = process.env.OPENAI_API_KEY
const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }

const createBody = (text) => JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: text }] })
const readContent = (completion) => completion.choices[0].message.content

const clients = {
  async undici() {
    const { Agent, request } = await import('undici')
    const dispatcher = new Agent({ connections: 64 })
    return async (text) => {
      const answer = await request(endpoint, { dispatcher, method: 'POST', headers, body: createBody(text) })
      return readContent(await answer.body.json())
    }
  },

  async fetch() {
    return async (text) => {
      const answer = await fetch(endpoint, { method: 'POST', headers, body: createBody(text) })
      return readContent(await answer.json())
    }
  },

  'viva-whole': () => viva(false),
  'viva-streamed': () => viva(true),

  async 'ai-sdk-whole'() {
    const model = await aiSdkModel()
    return async (text) => joinText((await model.doGenerate(createPrompt(text))).content)
  },

  async 'ai-sdk-streamed'() {
    const model = await aiSdkModel()
    return async (text) => {
      let content = ''
      const { stream } = await model.doStream(createPrompt(text))
      for await (const part of stream) if (part.type === 'text-delta') content += part.delta
      return content
    }
  },

  async 'ai-sdk-on-undici'() {
    const { Agent, request } = await import('undici')
    const dispatcher = new Agent({ connections: 64 })
    const model = await aiSdkModel(async (target, init) => {
      const answer = await request(target, {
        dispatcher,
        method: 'POST',
        headers: init.headers,
        body: init.body,
      })
      return new Response(await answer.body.text(), { status: answer.statusCode, headers: answer.headers })
    })
    return async (text) => joinText((await model.doGenerate(createPrompt(text))).content)
  },
}

async function viva(stream) {
  const { createOpenAIModel } = await import(pathToFileURL(join(built, 'model.mjs')).href)
  const { createPlainScope } = await import(pathToFileURL(join(built, 'scope.mjs')).href)
  const model = createOpenAIModel({ baseURL: url, apiKey, model: 'bench', stream })
  const scope = createPlainScope()
  return async (text) => {
    const messages = [{ role: 'user', content: text }]
    return (await model.generate({ messages, tools: [], settings: {} }, scope)).content
  }
}

async function aiSdkModel(ownFetch) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({ name: 'bench', baseURL: url, apiKey, fetch: ownFetch })
  return provider.chatModel('bench')
}

function createPrompt(text) {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text }] }] }
}

function joinText(parts) {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

const call = await clients[name]()
let next = 0
await Promise.all(
  Array.from({ length: Number(parallel) }, async () => {
    while (next < Number(calls)) {
      const content = await call(`Say hello to number ${next++}.`)
      if (content !== 'Hello from the benchmark.') throw new Error(`${name} gave ${JSON.stringify(content)}`)
    }
  }),
)
