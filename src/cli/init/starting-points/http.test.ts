import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../project/config-schema.ts'
import { folderWith } from '../folder.fixture.ts'
import { defaultAnswers } from '../questions.ts'
import type { AgentSetup } from '../starting-point.ts'
import { httpServices } from './http.ts'
import { openApiServices } from './openapi.ts'

const signal = new AbortController().signal

/** What is written for the first agent in a folder with these files. Its config must be valid. */
async function setUp(files: Record<string, string>, point = httpServices): Promise<AgentSetup> {
  const [found] = point.look(folderWith(files))
  if (found === undefined) throw new Error('no agent was found')
  const setup = await found.setUp(found.reference, signal)
  configSchema.parse(setup.config)
  return setup
}

const ids = ({ cases }: AgentSetup) => cases.map((each) => each.case.id)

const fastApi = `import os
from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

app = FastAPI()
api = APIRouter(prefix="/api")
client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])

class ChatRequest(BaseModel):
    question: str
    conversation_id: str | None = None

class ChatAnswer(BaseModel):
    answer: str

@api.post("/chat", response_model=ChatAnswer)
async def chat(request: ChatRequest):
    return ChatAnswer(answer=run(request))

@api.post("/feedback")
async def feedback(text: str):
    return {"ok": True}
`

describe('HTTP services', () => {
  it('FastAPI: the mapping comes from the Pydantic models, and uvicorn starts it', async () => {
    const setup = await setUp({ 'service/main.py': fastApi, 'requirements.txt': 'fastapi' })
    expect(setup.config).toEqual({
      agent: 'service',
      agents: {
        service: {
          url: 'http://127.0.0.1:8000/api/chat',
          request: { question: '{{input}}', conversation_id: '{{sessionId}}' },
          response: { content: '$.answer' },
        },
      },
      services: [
        {
          command: 'python3 -m uvicorn service.main:app --port 8000',
          url: 'http://127.0.0.1:8000/openapi.json',
        },
      ],
    })
    expect(ids(setup)).toEqual(['introduces-itself', 'remembers', 'survives-odd-input'])
    expect(setup.variables).toEqual(['OPENAI_API_KEY'])
  })

  it.each([
    ['80', 80],
    ['70000', 8000],
  ])('a source that names the port %s is started at the port %d', async (named, port) => {
    const setup = await setUp({ 'main.py': `${fastApi}\n# uvicorn.run(app, port=${named})\n` })
    expect(setup.config).toMatchObject({
      agents: { service: { url: `http://127.0.0.1:${port}/api/chat` } },
      services: [{ command: `python3 -m uvicorn main:app --port ${port}` }],
    })
  })

  it('Flask: a service without a GET is not started, and gets each message alone', async () => {
    const setup = await setUp({
      'app.py': `from flask import Flask, jsonify, request
app = Flask(__name__)

@app.route("/ask", methods=["POST"])
def ask():
    text = request.get_json()["text"]
    return jsonify(response=answer(text))

if __name__ == "__main__":
    app.run(port=59321)
`,
    })
    expect(setup.config).toEqual({
      agent: 'service',
      agents: {
        service: {
          url: 'http://127.0.0.1:59321/ask',
          request: { text: '{{input}}' },
          response: { content: '$.response' },
        },
      },
    })
    expect(ids(setup)).toEqual(['introduces-itself', 'survives-odd-input'])
    expect(setup.notes).toEqual([
      'It gets each message alone, so no case checks what it remembers.',
      'Nothing answers at http://127.0.0.1:59321. Start it (python3 app.py) before viva test.',
    ])
  })

  it('Express: the mapping comes from the body that is read and the answer that is sent', async () => {
    const setup = await setUp({
      'package.json': JSON.stringify({
        dependencies: { express: '5' },
        scripts: { start: 'node server.js' },
      }),
      'server.js': `const app = require('express')()
app.get('/healthz', (req, res) => res.send('ok'))
app.post('/api/messages', async (req, res) => {
  const { message, history = [] } = req.body
  const { text, toolCalls } = await run(message, history)
  res.json({ reply: text, toolCalls })
})
app.listen(process.env.PORT ?? 59322)
`,
    })
    expect(setup.config).toMatchObject({
      agents: {
        service: {
          url: 'http://127.0.0.1:59322/api/messages',
          request: { message: '{{input}}', history: '{{history}}' },
          response: { content: '$.reply', tool_calls: '$.toolCalls?' },
        },
      },
      services: [{ command: 'npm start', url: 'http://127.0.0.1:59322/healthz' }],
    })
  })

  it('Hono: a body that is awaited is read too', async () => {
    const setup = await setUp({
      'index.mjs': `import { Hono } from 'hono'
const app = new Hono()
app.post('/chat', async (c) => {
  const { prompt, threadId: id } = await c.req.json()
  return c.json({ output: await run(prompt, id) })
})
`,
    })
    expect(setup.config.agents).toEqual({
      service: {
        url: 'http://127.0.0.1:3000/chat',
        request: { prompt: '{{input}}', threadId: '{{sessionId}}' },
        response: { content: '$.output' },
      },
    })
  })

  it('Next.js: the chat route of the AI SDK is an agent with its format, which gets the conversation', async () => {
    const setup = await setUp({
      'package.json': JSON.stringify({
        dependencies: { next: '16' },
        scripts: { dev: 'next dev --port 59323' },
      }),
      'app/page.tsx': '',
      'app/api/chat/route.ts': `import { convertToModelMessages, streamText } from 'ai'
export async function POST(request: Request) {
  const { messages } = await request.json()
  return streamText({ model, messages: convertToModelMessages(messages) }).toUIMessageStreamResponse()
}
`,
    })
    expect(setup.config).toMatchObject({
      agents: {
        service: {
          url: 'http://127.0.0.1:59323/api/chat',
          format: 'ai-sdk-ui',
        },
      },
      services: [{ command: 'npm run dev', url: 'http://127.0.0.1:59323/' }],
    })
    expect(ids(setup)).toContain('remembers')
  })

  it.each([
    ['/api/chat', 'result.pipeUIMessageStreamToResponse(response)', 'ai-sdk-ui'],
    ['/v1/chat/completions', 'response.json(await answer(request.body))', 'openai-chat'],
    ['/v1/responses', 'response.json(await answer(request.body))', 'openai-responses'],
  ])('Node: a route %s that does %s has the format %s', async (path, does, format) => {
    const setup = await setUp({
      'package.json': JSON.stringify({ dependencies: { express: '5' } }),
      'server.js': `const app = require('express')()
app.post('${path}', async (request, response) => {
  const result = await ask(request.body.messages)
  ${does}
})
app.listen(59324)
`,
    })
    expect(setup.config.agents).toEqual({ service: { url: `http://127.0.0.1:59324${path}`, format } })
    expect(ids(setup)).toContain('remembers')
  })

  it('OpenAPI: the mapping comes from the schemas of the bodies', async () => {
    const body = (name: string) => ({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    })
    const description = {
      servers: [{ url: 'https://agent.test/v2/' }],
      paths: {
        '/users': { post: { requestBody: body('User') } },
        '/talk': { post: { requestBody: body('Question'), responses: { 200: body('Answer') } } },
      },
      components: {
        schemas: {
          User: { properties: { name: {} } },
          Question: { properties: { message: {}, session_id: {}, user_id: {} } },
          Answer: { properties: { id: {}, answer: {} } },
        },
      },
    }
    const { config } = await setUp({ 'openapi.json': JSON.stringify(description) }, openApiServices)
    expect(config.agents).toEqual({
      service: {
        url: 'https://agent.test/v2/talk',
        request: { message: '{{input}}', session_id: '{{sessionId}}', user_id: '{{userId}}' },
        response: { content: '$.answer' },
      },
    })
  })

  const schema = { properties: { message: {} } }
  const paths = {
    '/talk': { post: { requestBody: { content: { 'application/json': { schema } } } } },
  }

  it.each([
    [{ url: '/api/v1' }, 'http://127.0.0.1:8000/api/v1/talk'],
    [{ url: '/' }, 'http://127.0.0.1:8000/talk'],
    [
      { url: 'https://{region}.agent.test/{v}', variables: { region: { default: 'eu' }, v: { default: 2 } } },
      'https://eu.agent.test/2/talk',
    ],
  ])('OpenAPI: the server %j is the agent at %s', (server, url) => {
    const folder = folderWith({ 'openapi.json': JSON.stringify({ servers: [server], paths }) })
    expect(openApiServices.look(folder).map(({ reference }) => reference)).toEqual([url])
  })

  it('OpenAPI: a variable without a default must be filled in, also with --yes', async () => {
    const servers = [{ url: 'https://{region}.agent.test' }]
    const folder = folderWith({ 'openapi.json': JSON.stringify({ servers, paths }) })
    const question = await openApiServices.look(folder)[0]?.question?.(signal)
    if (question === undefined) throw new Error('nothing is asked')
    await expect(defaultAnswers.answer(question)).rejects.toThrow('write a value in place of {region}')
  })

  it.each([
    ['https://agent.test', 'agent.test'],
    ['http://8.8.8.8:81', '8.8.8.8:81'],
    ['http://127.0.0.1:1', undefined],
    ['http://[::1]:1', undefined],
    ['http://localhost:1', undefined],
  ])('OpenAPI: whether %s is a host of others is known', async (url, host) => {
    const description = JSON.stringify({ servers: [{ url }], paths })
    expect((await setUp({ 'openapi.json': description }, openApiServices)).publicHost).toBe(host)
  })

  it('the route for messages is chosen among others, and routes below it are part of it', () => {
    const routes = ['/feedback', '/chat', '/chat/stream'].map(
      (path) => `@app.post("${path}")\ndef handle():\n    return {"text": request.json["text"]}\n`,
    )
    const folder = folderWith({ 'app.py': `from flask import Flask\n${routes.join('\n')}` })
    expect(httpServices.look(folder).map(({ reference }) => reference)).toEqual([
      'http://127.0.0.1:5000/chat',
    ])
  })

  it('source without a route for messages is no agent', () => {
    const folder = folderWith({
      'app.py': 'from flask import Flask\n@app.post("/users")\ndef add():\n    return {"id": 1}\n',
      'server.js': "const express = require('express')\napp.get('/chat', show)\n",
      'openapi.yaml': 'paths: [not, a, map',
      'node_modules/x/server.js': "require('express')().post('/chat', x)",
    })
    expect([...httpServices.look(folder), ...openApiServices.look(folder)]).toEqual([])
  })
})
