import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonl, project, results, viva } from './support/viva.ts'

/** Starts a server that embeds a text as its numbers of `a`, `b` and other letters. */
async function startEmbedder() {
  const received: { body: { model: string; input: string[] }; key: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as { model: string; input: string[] }
    received.push({ body, key: request.headers.authorization })
    if (body.input[0]?.includes('hang')) return
    const isBroken = body.input[0]?.includes('broken') || request.url !== '/v1/embeddings'
    response.statusCode = isBroken ? 500 : 200
    response.setHeader('content-type', 'application/json')
    const count = (from: string, letters: RegExp) => (from.match(letters) ?? []).length
    const data = body.input.map((from, index) => ({
      index,
      embedding: [count(from, /a/g), count(from, /b/g), count(from, /[^ab]/g)],
    }))
    response.end(
      JSON.stringify(
        isBroken ? { error: { message: 'the embedder broke' } } : { data, usage: { prompt_tokens: 5 } },
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, host: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function similar(value: string, more = {}) {
  return { type: 'similar', method: 'embedding', connector: 'embedder', value, ...more }
}

function projectWith(cases: string, embedder: object) {
  return project({
    'agent.mjs': 'export default (input) => input\n',
    'viva.config.json': JSON.stringify({
      network: { retries: 1, backoff: '1ms' },
      connectors: {
        embedder,
        claude: { type: 'anthropic', options: { model: 'c' } },
        chat: { type: 'scripted', options: { rules: [] } },
      },
    }),
    'cases.jsonl': cases,
  })
}

function run(cwd: string) {
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], {
    cwd,
    env: { EMBED_KEY: 'very-secret-key' },
  })
}

describe('similar with method: embedding', () => {
  it('embeddings come from the connector, count as tokens of the judge, and give the recorded score', async () => {
    const { received, host } = await startEmbedder()
    const options = { model: 'letters', host, key: '$ENV.EMBED_KEY' }
    const cwd = projectWith(
      jsonl(
        { id: 'near', input: 'aab', assert: similar('abaaab') },
        { id: 'far', input: 'aa', assert: similar('bb') },
      ),
      { type: 'openai', options },
    )
    const { exitCode, stdout } = await run(cwd)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'near', status: 'passed', usage: { judge: { calls: 1, input_tokens: 5 } } },
      { id: 'far', status: 'failed', fault: 'agent', error_kind: 'assertion' },
    ])
    expect(results(join(cwd, 'x.jsonl')).map(({ assertions }) => assertions)).toMatchObject([
      [{ type: 'similar', score: 1, status: 'passed' }],
      [{ score: 0, reason: 'output is 0 similar to "bb", expected at least 0.8' }],
    ])
    expect(received[0]).toEqual({
      body: { model: 'letters', input: ['aab', 'abaaab'] },
      key: 'Bearer very-secret-key',
    })
    expect(stdout).toContain('output is 0 similar to "bb"')
    expect(exitCode).toBe(1)
  })

  it('an embedding that fails is retried, then the check is an infrastructure error, also with negate', async () => {
    const { host, received } = await startEmbedder()
    const cwd = projectWith(
      jsonl(
        { id: 'a', input: 'broken', assert: similar('a') },
        { id: 'not', input: 'broken', assert: similar('a', { negate: true }) },
      ),
      { type: 'openai', options: { model: 'letters', host } },
    )
    const { exitCode } = await run(cwd)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'a', status: 'failed', fault: 'infrastructure', usage: { judge: { calls: 2, retries: 1 } } },
      { id: 'not', status: 'failed', fault: 'infrastructure' },
    ])
    const [first] = results(join(cwd, 'x.jsonl'))
    expect(first?.assertions).toMatchObject([{ status: 'error' }])
    expect(first?.error).toContain('the embedder broke (after 1 retry)')
    expect(received).toHaveLength(4)
    expect(exitCode).toBe(3)
  })

  it('an embedding that does not arrive in time is not a timeout of the agent', async () => {
    const { host } = await startEmbedder()
    const cwd = projectWith(jsonl({ id: 'a', input: 'hang', timeout: '500ms', assert: similar('a') }), {
      type: 'openai',
      options: { model: 'letters', host },
    })
    const { exitCode } = await run(cwd)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      {
        fault: 'infrastructure',
        error_kind: 'timeout',
        error: expect.stringMatching(/^timeout after 500ms, (?:waiting for judge|while a check)/),
      },
    ])
    expect(exitCode).toBe(3)
  })

  it('a scripted connector takes embeddings from its table', async () => {
    const cwd = projectWith(
      jsonl(
        { id: 'near', input: 'hello', assert: similar('hi') },
        { id: 'unknown', input: 'what?', assert: similar('hi') },
      ),
      { type: 'scripted', options: { embeddings: { hello: [2, 0.1], hi: [1, 0] } } },
    )
    const { exitCode } = await run(cwd)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'near', status: 'passed' },
      {
        id: 'unknown',
        fault: 'infrastructure',
        error: 'could not be judged: the scripted model has no embedding for "what?"',
      },
    ])
    expect(exitCode).toBe(3)
  })

  it('a connector that gives no embeddings is refused before anything runs', async () => {
    const turns = [
      { input: 'a', assert: { type: 'all_of', assertions: [similar('a', { connector: 'claude' })] } },
    ]
    const cwd = projectWith(
      jsonl(
        { id: 'unknown', input: 'a', assert: similar('a', { connector: 'embeder' }) },
        { id: 'type', turns },
        { id: 'rules', input: 'a', final_assertions: [similar('a', { connector: 'chat' })] },
        { id: 'none', input: 'a', assert: similar('a', { connector: undefined }) },
      ),
      { type: 'scripted', options: { embeddings: { a: [1] } } },
    )
    const { exitCode, stdout, stderr } = await run(cwd)
    const lines = stderr.split('\n').filter((line) => line.includes('cases.jsonl:'))
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/cases\.jsonl:1:\d+: unknown: .*unknown connector "embeder"/)
    expect(lines[1]).toMatch(/cases\.jsonl:2:\d+: type: .*connector claude gives no embeddings/)
    expect(lines[2]).toMatch(/cases\.jsonl:3:\d+: rules: .*connector chat gives no embeddings/)
    expect(lines[3]).toMatch(/cases\.jsonl:4:\d+: none: .*needs a "connector"/)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })
})
