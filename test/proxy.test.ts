import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FakeOpenAIServer, startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { startHttpDesk, startSseServer } from './fixtures/tools/http.ts'
import { startA2AAgent } from './support/a2a-agent.ts'
import { authority, startProxy, startSilentServer, startTls } from './support/proxy.ts'
import { jsonl, type Line, project, results, spawnViva, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }
const password = 'pass-word-123'

interface Asking {
  network?: object
  env?: Record<string, string>
  files?: Record<string, string>
  args?: string[]
}

interface Answered {
  exitCode: number | null
  /** All that was printed and written. */
  output: string
  result: Line | undefined
}

async function ask(
  agent: string,
  { network = {}, env = {}, files = {}, args = [] }: Asking = {},
): Promise<Answered> {
  const cwd = project({
    'viva.config.json': JSON.stringify({ network: { retries: 1, backoff: '5ms', ...network } }),
    'cases.jsonl': jsonl(hello),
    'ca.pem': authority,
    ...files,
  })
  const command = ['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'x.jsonl', '-v', '--json', ...args]
  // Node itself reads that variable when it starts.
  const run = env?.NODE_EXTRA_CA_CERTS === undefined ? viva : spawnViva
  const { exitCode, stdout, stderr } = await run(command, { cwd, env })
  const written = (name: string) => (exitCode === 2 ? '' : readFileSync(join(cwd, name), 'utf8'))
  const output = stdout + stderr + written('x.jsonl')
  return { exitCode, output, result: exitCode === 2 ? undefined : results(join(cwd, 'x.jsonl'))[0] }
}

async function startModel(): Promise<FakeOpenAIServer> {
  const server = await startFakeOpenAIServer()
  onTestFinished(() => server.close())
  return server
}

/** Starts a model that can be reached over HTTP and over HTTPS. */
async function startModels(): Promise<{ http: string; https: string; server: FakeOpenAIServer }> {
  const server = await startModel()
  return { http: `openai:${server.url}#m`, https: `openai:${await startTls(server.url)}#m`, server }
}

describe('proxies', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])(
    '%s is used for plain requests, with their full address',
    async (name) => {
      const { http, server } = await startModels()
      const proxy = await startProxy()
      expect((await ask(http, { env: { [name]: proxy.url } })).exitCode).toBe(0)
      expect(proxy.asked).toEqual([`POST ${server.url}/chat/completions`])
      expect(server.requests).toHaveLength(1)
    },
  )

  it.each(['HTTPS_PROXY', 'https_proxy'])('%s is used for encrypted requests', async (name) => {
    const { https, server } = await startModels()
    const proxy = await startProxy()
    const { exitCode } = await ask(https, { env: { [name]: proxy.url }, network: { ca: 'ca.pem' } })
    expect(exitCode).toBe(0)
    expect(proxy.asked).toEqual([`CONNECT ${/127\.0\.0\.1:\d+/.exec(https)?.[0]}`])
    expect(server.requests).toHaveLength(1)
  })

  it('NO_PROXY exempts the hosts it names, and loopback only if it is named', async () => {
    const { http } = await startModels()
    const proxy = await startProxy()
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'example.com, 127.0.0.1' }
    expect((await ask(http, { env })).exitCode).toBe(0)
    expect(proxy.asked).toEqual([])
    expect((await ask(http, { env, network: { no_proxy: ['example.com'] } })).exitCode).toBe(0)
    expect(proxy.asked).toHaveLength(1)
  })

  it('the proxy of the config beats that of the environment, and false means none', async () => {
    const { http } = await startModels()
    const [used, unused] = [await startProxy(), await startProxy({ status: 502 })]
    const env = { HTTP_PROXY: unused.url, PROXY: used.url }
    expect((await ask(http, { env, network: { proxy: '$ENV.PROXY' } })).exitCode).toBe(0)
    expect(used.asked).toHaveLength(1)
    expect((await ask(http, { env, network: { proxy: false } })).exitCode).toBe(0)
    expect(unused.asked).toEqual([])
  })

  it('the password of a proxy is sent to it, and shown nowhere', async () => {
    const { http, https, server } = await startModels()
    const proxy = await startProxy({ credentials: `bob:${password}` })
    const address = proxy.url.replace('//', `//bob:${password}@`)
    for (const agent of [http, https]) {
      const { exitCode, output } = await ask(agent, { network: { proxy: address, ca: 'ca.pem' } })
      expect(exitCode).toBe(0)
      expect(output).not.toContain(password)
    }
    expect(server.requests).toHaveLength(2)
    for (const { headers } of server.requests) expect(headers).not.toHaveProperty('proxy-authorization')
  })

  it.each(['http', 'https'] as const)(
    'a proxy that refuses the password is an infrastructure error and is not asked again (%s)',
    async (protocol) => {
      const models = await startModels()
      const proxy = await startProxy({ credentials: 'bob:another' })
      const address = proxy.url.replace('//', `//bob:${password}@`)
      const { exitCode, output, result } = await ask(models[protocol], { network: { proxy: address } })
      expect(exitCode).toBe(3)
      expect(result).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
      expect(result?.error).toMatch(`the proxy ${proxy.url} answered 407`)
      expect(output).not.toContain(password)
      expect(proxy.asked).toHaveLength(1)
      expect(models.server.requests).toHaveLength(0)
    },
  )

  it.each(['http', 'https'] as const)(
    'a proxy that cannot reach the server is named after a retry (%s)',
    async (protocol) => {
      const models = await startModels()
      const proxy = await startProxy({ status: 502 })
      const { exitCode, result } = await ask(models[protocol], { network: { proxy: proxy.url } })
      expect(exitCode).toBe(3)
      expect(result?.error).toContain('answered 502')
      expect(result?.error).toContain(`the proxy ${proxy.url}`)
      expect(proxy.asked).toHaveLength(2)
    },
  )

  it('a proxy may use TLS, and then tunnels all requests', async () => {
    const { http, https, server } = await startModels()
    const proxy = await startProxy()
    const network = { proxy: await startTls(proxy.url), ca: 'ca.pem' }
    for (const agent of [http, https]) expect((await ask(agent, { network })).exitCode).toBe(0)
    expect(proxy.asked.map((line) => line.split(' ')[0])).toEqual(['CONNECT', 'CONNECT'])
    expect(server.requests).toHaveLength(2)
  })

  it.each(['http', 'https'] as const)('a proxy that cannot be reached is named (%s)', async (protocol) => {
    const models = await startModels()
    const { exitCode, output, result } = await ask(models[protocol], {
      network: { proxy: `http://bob:${password}@127.0.0.1:9` },
    })
    expect(exitCode).toBe(3)
    expect(result).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
    expect(result?.error).toMatch(/ECONNREFUSED.*\(through the proxy http:\/\/127\.0\.0\.1:9\)/)
    expect(output).not.toContain(password)
    expect(models.server.requests).toHaveLength(0)
  })

  it('a proxy that never answers a plain request leads to a timeout', async () => {
    const { http } = await startModels()
    const proxy = await startProxy({ hang: true })
    const { exitCode, result } = await ask(http, {
      network: { proxy: proxy.url },
      args: ['--timeout', '500ms'],
    })
    expect(result).toMatchObject({ error_kind: 'timeout', fault: 'agent' })
    expect(exitCode).toBe(1)
  })

  it.each(['openai:', '', 'a2a:'])(
    'a proxy that opens no tunnel in time is an infrastructure error that names it (%shttps://…)',
    async (prefix) => {
      const proxy = await startProxy({ hang: true })
      const { exitCode, result } = await ask(`${prefix}https://127.0.0.1:4443/v1#m`, {
        network: { proxy: proxy.url },
        args: ['--timeout', '500ms'],
      })
      expect(result).toMatchObject({ error_kind: 'timeout', fault: 'infrastructure' })
      const error = `timeout after 500ms, waiting for a connection to 127.0.0.1:4443 through the proxy ${proxy.url}`
      expect(result?.error).toBe(error)
      expect(exitCode).toBe(3)
      expect(proxy.asked).toEqual(['CONNECT 127.0.0.1:4443'])
    },
  )

  it('A2A agents use the proxy, and errors name it', async () => {
    const server = await startA2AAgent()
    onTestFinished(() => server.close())
    const proxy = await startProxy()
    const env = { HTTP_PROXY: proxy.url }
    const agent = `a2a:${server.url}/tasks`
    const cases = { 'cases.jsonl': jsonl({ ...hello, input: 'say hello' }) }
    const network = { headers: { 'X-Team': 'red' } }
    expect((await ask(agent, { env, network, files: cases })).exitCode).toBe(0)
    expect(proxy.asked.at(-1)).toContain(`POST ${server.url}`)
    expect(server.received[0]).toMatchObject({ 'x-team': 'red' })
    const refused = await startProxy({ status: 502 })
    const { exitCode, result } = await ask(agent, { env: { HTTP_PROXY: refused.url } })
    expect(result?.error).toContain(`through the proxy ${refused.url}`)
    expect(exitCode).toBe(3)
    const overTls = `a2a:${await startTls(`${server.url}/tasks`)}`
    const dead = await ask(overTls, { env: { HTTPS_PROXY: refused.url } })
    expect(dead.result?.error).toContain(`the proxy ${refused.url} answered 502`)
  })

  it.each([
    ['http', startHttpDesk],
    ['sse', startSseServer],
  ] as const)('MCP servers use the proxy, and errors name it (%s)', async (transport, start) => {
    const server = await start()
    onTestFinished(() => server.close())
    const proxy = await startProxy()
    const files = {
      'app.yao': '{}',
      'connectors/script.conn.yao': JSON.stringify({
        type: 'scripted',
        options: { rules: [{ reply: 'hello' }] },
      }),
      'assistants/desk/package.yao': JSON.stringify({ connector: 'script', mcp: { servers: ['desk'] } }),
      'mcps/desk.mcp.yao': JSON.stringify({ transport, url: server.url }),
    }
    expect((await ask('desk', { files, env: { HTTP_PROXY: proxy.url } })).exitCode).toBe(0)
    expect(proxy.asked).toContain(
      `POST ${transport === 'http' ? server.url : new URL('/messages', server.url)}`,
    )
    const { exitCode, result } = await ask('desk', { files, env: { HTTP_PROXY: 'http://127.0.0.1:9' } })
    expect(result?.error).toContain('through the proxy http://127.0.0.1:9')
    expect(exitCode).toBe(3)
    const refusing = await startProxy({ status: 403 })
    const overTls = {
      ...files,
      'mcps/desk.mcp.yao': JSON.stringify({ transport, url: await startTls(server.url) }),
    }
    const refused = await ask('desk', { files: overTls, env: { HTTPS_PROXY: refusing.url } })
    expect(refused.result?.error).toContain('the proxy answered 403')
  })

  it('services use the proxy, and an answer of the proxy does not count as a running service', async () => {
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const service = `import { createServer } from 'node:http'
      createServer((request, response) => response.end('hello')).listen(${port}, '127.0.0.1')`
    const proxy = await startProxy()
    const config = {
      services: [{ command: 'node service.mjs', url: `${base}/health`, reset: `${base}/reset` }],
    }
    const files = { 'service.mjs': service, 'viva.config.json': JSON.stringify(config) }
    expect((await ask(`${base}/chat`, { files, env: { HTTP_PROXY: proxy.url } })).exitCode).toBe(0)
    expect(new Set(proxy.asked)).toEqual(
      new Set([`GET ${base}/health`, `POST ${base}/reset`, `POST ${base}/chat`]),
    )
  })
})

describe('servers that accept connections and stay silent', () => {
  it.each(['openai:', '', 'a2a:'])(
    'a server that never completes the TLS handshake is an infrastructure error (%shttps://…)',
    async (prefix) => {
      const { address } = await startSilentServer()
      const { exitCode, result } = await ask(`${prefix}https://${address}/v1#m`, {
        args: ['--timeout', '500ms'],
      })
      expect(result).toMatchObject({ error_kind: 'timeout', fault: 'infrastructure' })
      expect(result?.error).toBe(`timeout after 500ms, waiting for a connection to ${address}`)
      expect(exitCode).toBe(3)
    },
  )

  it.each(['openai:', '', 'a2a:'])('a silent server leads to a timeout (%shttp://…)', async (prefix) => {
    const { address } = await startSilentServer()
    const { exitCode, result } = await ask(`${prefix}http://${address}/v1#m`, {
      args: ['--timeout', '500ms'],
    })
    expect(result).toMatchObject({ error_kind: 'timeout', fault: 'agent' })
    expect(exitCode).toBe(1)
  })
})

describe('certificates', () => {
  it('an untrusted certificate is an infrastructure error', async () => {
    const { https, server } = await startModels()
    const { exitCode, result } = await ask(https)
    expect(result).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
    expect(result?.error).toMatch(/certificate/)
    expect(exitCode).toBe(3)
    expect(server.requests).toHaveLength(0)
  })

  it('network.ca is trusted for models and A2A agents', async () => {
    const { https } = await startModels()
    expect((await ask(https, { network: { ca: ['ca.pem'] } })).exitCode).toBe(0)
    const agent = await startA2AAgent()
    onTestFinished(() => agent.close())
    const overTls = `a2a:${await startTls(`${agent.url}/tasks`)}`
    expect((await ask(overTls)).result?.error).toContain('no answer from')
    const trusted = {
      network: { ca: 'ca.pem' },
      files: { 'cases.jsonl': jsonl({ ...hello, input: 'say hello' }) },
    }
    expect((await ask(overTls, trusted)).exitCode).toBe(0)
  })

  it('NODE_EXTRA_CA_CERTS is trusted, also beside network.ca', async () => {
    const { https } = await startModels()
    const extra = join(project({ 'extra.pem': authority }), 'extra.pem')
    const env = { NODE_EXTRA_CA_CERTS: extra }
    expect((await ask(https, { env })).exitCode).toBe(0)
    const other = readFileSync(new URL('./fixtures/network/server.pem', import.meta.url), 'utf8')
    const files = { 'other.pem': other }
    expect((await ask(https, { env, files, network: { ca: 'other.pem' } })).exitCode).toBe(0)
  })
})

describe('network.headers', () => {
  const secret = 'team-secret-0123456789'

  it('network.headers are sent with every request, yield to headers of a connector, and are redacted', async () => {
    const server = await startFakeOpenAIServer({
      answer: () => `hello, they sent ${secret} and own-secret-123`,
    })
    onTestFinished(() => server.close())
    const network = { headers: { 'X-Team': '$ENV.TEAM', Authorization: 'Bearer mine' } }
    const connector = {
      type: 'openai',
      options: {
        model: 'm',
        key: 'sk-own-key-123',
        host: server.url,
        headers: { 'x-own': 'own-secret-123' },
      },
    }
    const files = {
      'app.yao': '{}',
      'connectors/c.conn.yao': JSON.stringify(connector),
      'assistants/a/package.yao': JSON.stringify({ connector: 'c' }),
      'assistants/a/prompts.yml': '- {role: system, content: Help.}',
    }
    const { exitCode, output } = await ask('a', { network, files, env: { TEAM: secret } })
    expect(server.requests[0]?.headers).toMatchObject({
      'x-team': secret,
      'x-own': 'own-secret-123',
      authorization: 'Bearer sk-own-key-123',
    })
    expect(exitCode).toBe(0)
    expect(output).toContain('[redacted]')
    expect(output).not.toContain(secret)
    const direct = await ask(`openai:${server.url}#m`, { network, env: { TEAM: secret } })
    expect(server.requests[1]?.headers).toMatchObject({ 'x-team': secret, authorization: 'Bearer mine' })
    expect(direct.output).not.toContain(secret)
  })

  it('headers of the config are sent to HTTP agents', async () => {
    const seen: unknown[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers)
      response.end('hello')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const agent = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`
    expect((await ask(agent, { network: { headers: { 'X-Team': secret } } })).exitCode).toBe(0)
    expect(seen).toEqual([expect.objectContaining({ 'x-team': secret })])
  })
})

describe('mistakes in the network settings', () => {
  it.each<[string, Asking, string]>([
    [
      'a proxy of another kind',
      { env: { HTTPS_PROXY: `socks5://x:${password}@h:1` } },
      'HTTPS_PROXY: a proxy must use http:// or https://',
    ],
    [
      'a proxy that is not a URL',
      { network: { proxy: `http://x:${password}@:1` } },
      'network.proxy is not the URL of a proxy',
    ],
    [
      'a proxy from a variable that is not set',
      { network: { proxy: '$ENV.NO_SUCH_PROXY' } },
      'NO_SUCH_PROXY is not set',
    ],
    [
      'a certificate that does not exist',
      { network: { ca: 'none.pem' } },
      'network.ca: none.pem cannot be read: ENOENT',
    ],
    [
      'an empty certificate',
      { network: { ca: ['ca.pem', 'empty.pem'] }, files: { 'empty.pem': '' } },
      'network.ca: empty.pem contains no certificate',
    ],
    [
      'a broken certificate',
      { network: { ca: 'bad.pem' }, files: { 'bad.pem': authority.replace(/M.{40}/, '') } },
      'network.ca: bad.pem contains a certificate that cannot be read',
    ],
    [
      'a header with a line break',
      { network: { headers: { 'x-a': `${password}\n` } } },
      'network.headers.x-a is not a header',
    ],
    [
      'a header that has no name',
      { network: { headers: { 'a b': 'x' } } },
      'network.headers.a b is not a header',
    ],
    [
      'a header of the connection',
      { network: { headers: { Host: 'x' } } },
      'network.headers.Host cannot be set',
    ],
    ['a misspelt setting', { network: { noproxy: 'x' } }, 'did you mean "no_proxy"?'],
  ])('%s is refused before anything runs', async (_, asking, words) => {
    const { http, server } = await startModels()
    const { exitCode, output } = await ask(http, asking)
    expect(output).toContain(words)
    expect(output).not.toContain(password)
    expect(exitCode).toBe(2)
    expect(server.requests).toHaveLength(0)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
