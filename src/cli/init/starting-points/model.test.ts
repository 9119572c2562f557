import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configSchema } from '../../../project/config-schema.ts'
import { folderWith } from '../folder.fixture.ts'
import { modelEndpoints } from './model.ts'

const signal = new AbortController().signal

async function setUp(env: Record<string, string>, files: Record<string, string> = {}) {
  const [found] = modelEndpoints.look(folderWith(files, env))
  const question = await found?.question?.(signal)
  const setup = await found?.setUp(question?.standard ?? 'm', signal)
  return {
    reference: found?.reference,
    config: configSchema.parse(setup?.config),
    variables: setup?.variables,
  }
}

describe('models that the environment names', () => {
  it.each([
    ['OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1/'],
    ['GROQ_API_KEY', 'https://api.groq.com/openai/v1/'],
    ['MISTRAL_API_KEY', 'https://api.mistral.ai/v1/'],
    ['DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1/'],
    ['TOGETHER_API_KEY', 'https://api.together.xyz/v1/'],
  ])('%s is a connector that names the key', async (name, host) => {
    const { config, variables } = await setUp({ [name]: 'k', [name.replace('_API_KEY', '_MODEL')]: 'small' })
    expect(config).toEqual({
      agent: 'assistant',
      connectors: { main: { type: 'openai', options: { model: 'small', key: `$ENV.${name}`, host } } },
      agents: { assistant: { connector: 'main' } },
    })
    expect(variables).toEqual([name])
  })

  it('ANTHROPIC_API_KEY is a connector of its own type, with a model that is known', async () => {
    const { config } = await setUp({ ANTHROPIC_API_KEY: 'k' })
    expect(config.connectors).toEqual({
      main: {
        type: 'anthropic',
        options: { model: expect.stringContaining('claude'), key: '$ENV.ANTHROPIC_API_KEY' },
      },
    })
  })

  it('OPENAI_API_KEY is a reference, and its address may be in .env', async () => {
    expect((await setUp({ OPENAI_API_KEY: 'k' })).config.agent).toMatch(
      /^openai:https:\/\/api\.openai\.com\/v1#/,
    )
    const local = { '.env': 'OPENAI_BASE_URL=http://127.0.0.1:1/v1/\nOPENAI_MODEL=small\n' }
    expect((await setUp({ OPENAI_API_KEY: 'k' }, local)).config).toEqual({
      agent: 'openai:http://127.0.0.1:1/v1#small',
    })
  })

  it.each([
    ['localhost', 'openai:http://localhost:11434/v1#small'],
    [':11434', 'openai:http://127.0.0.1:11434/v1#small'],
    ['ollama.test:80', 'openai:http://ollama.test:80/v1#small'],
    ['0.0.0.0:8080', 'openai:http://127.0.0.1:8080/v1#small'],
    ['https://ollama.test', 'openai:https://ollama.test/v1#small'],
  ])('OLLAMA_HOST=%s is the agent %s', async (host, agent) => {
    expect((await setUp({ OLLAMA_HOST: host, OLLAMA_MODEL: 'small' })).config).toEqual({ agent })
  })

  it('an OLLAMA_HOST that is no address is refused', () => {
    const folder = folderWith({}, { OLLAMA_HOST: 'localhost:99999' })
    expect(() => modelEndpoints.look(folder)).toThrow('OLLAMA_HOST: not a URL (write http://host:port/v1)')
  })

  it('a server of the user is asked for its models, with the key', async () => {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push([request.url, request.headers.authorization])
      response.end(JSON.stringify({ data: [{ id: 'nomic-embed' }, { id: 'llama' }] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const { config } = await setUp({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'k' })
    expect(config).toEqual({ agent: `openai:${url}#llama` })
    expect(asked).toEqual([['/v1/models', 'Bearer k']])
  })

  it('an empty variable names no model', async () => {
    expect(modelEndpoints.look(folderWith({}, { OPENAI_API_KEY: '', GROQ_API_KEY: ' ' }))).toEqual([])
  })
})
