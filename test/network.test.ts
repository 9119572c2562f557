import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type FakeAnswer,
  type FakeOpenAIServer,
  startFakeOpenAIServer,
} from '../src/models/fakes/fake-openai-server.ts'
import { jsonl, type Line, project, results, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }
const quick = JSON.stringify({ network: { retries: 3, backoff: '5ms' } })

async function serve(answer: (index: number) => FakeAnswer): Promise<FakeOpenAIServer> {
  const server = await startFakeOpenAIServer({ answer: (_, index) => answer(index) })
  onTestFinished(() => server.close())
  return server
}

async function ask(
  server: FakeOpenAIServer,
  ...args: string[]
): Promise<{ exitCode: number | null; result: Line | undefined; stdout: string; cwd: string }> {
  const cwd = project({ 'viva.config.json': quick, 'cases.jsonl': jsonl(hello) })
  const ended = await viva(
    ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`, '-o', 'x.jsonl', ...args],
    { cwd },
  )
  return { ...ended, result: results(join(cwd, 'x.jsonl'))[0], cwd }
}

/** Asks several models in one run and returns their results in the order of `servers`. */
async function askAll(
  servers: readonly FakeOpenAIServer[],
): Promise<{ exitCode: number | null; played: (Line | undefined)[] }> {
  const cwd = project({ 'viva.config.json': quick, 'cases.jsonl': jsonl(hello) })
  const names = servers.map(({ url }) => `openai:${url}#m`)
  const flags = [...names.flatMap((name) => ['-n', name]), '-o', 'x.jsonl']
  const { exitCode } = await viva(['test', '-i', 'cases.jsonl', ...flags], { cwd })
  const lines = results(join(cwd, 'x.jsonl'))
  return { exitCode, played: names.map((name) => lines.find(({ variant }) => variant === name)) }
}

describe('network faults', () => {
  const passing: [string, FakeAnswer][] = [
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
    ['500', { status: 500 }],
    ['a connection reset', { cut: 'reset' }],
    ['a stream that is cut in the middle', { text: 'hello hello hello', cut: 'mid-stream' }],
  ]
  it('a fault that passes is retried and counted', async () => {
    const servers = await Promise.all(
      passing.map(([, fault]) => serve((index) => (index < 2 ? fault : 'hello'))),
    )
    const { exitCode, played } = await askAll(servers)
    expect(
      passing.map(([what], index) => [what, servers[index]?.requests.length, played[index]?.usage]),
    ).toEqual(
      passing.map(([what]) => [what, 3, { agent: expect.objectContaining({ calls: 3, retries: 2 }) }]),
    )
    expect(exitCode).toBe(0)
  })

  const lasting: [string, FakeAnswer, string, number][] = [
    ['500', { status: 500 }, 'http', 4],
    ['429', { status: 429 }, 'rate_limit', 4],
    [
      'a spent quota',
      { status: 429, error: { code: 'insufficient_quota', message: 'pay first' } },
      'quota',
      1,
    ],
    ['401', { status: 401 }, 'http', 1],
    ['400', { status: 400, error: { message: 'no such model' } }, 'http', 1],
    [
      'a page instead of JSON',
      { body: '<html>proxy</html>', headers: { 'content-type': 'text/html' } },
      'bad_response',
      1,
    ],
    [
      'data that is nested too deeply',
      {
        body: `{"choices":[{"message":{"content":"x","extra":${'['.repeat(9000)}${']'.repeat(9000)}}}]}`,
        headers: { 'content-type': 'application/json' },
      },
      'bad_response',
      1,
    ],
  ]
  it('a fault that lasts is an infrastructure error, retried only where that can help', async () => {
    const servers = await Promise.all(lasting.map(([, fault]) => serve(() => fault)))
    const { exitCode, played } = await askAll(servers)
    expect(lasting.map(([what], index) => [what, servers[index]?.requests.length, played[index]])).toEqual(
      lasting.map(([what, , kind, calls]) => [
        what,
        calls,
        expect.objectContaining({
          status: 'failed',
          fault: 'infrastructure',
          error_kind: kind,
          error: expect.not.stringMatching(/^agent error: /),
        }),
      ]),
    )
    expect(exitCode).toBe(3)
  })

  it('a Retry-After beyond the deadline is not waited for', async () => {
    const server = await serve(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    const { exitCode, result } = await ask(server, '--timeout', '20s')
    expect(result).toMatchObject({ error_kind: 'rate_limit', fault: 'infrastructure' })
    expect(server.requests).toHaveLength(1)
    expect(exitCode).toBe(3)
  })
})

describe('timeouts', () => {
  it('a timeout ends the request', async () => {
    const server = await serve(() => ({ hang: true }))
    const { exitCode, result } = await ask(server, '--timeout', '300ms')
    expect(result).toMatchObject({
      status: 'failed',
      error: 'timeout after 300ms',
      error_kind: 'timeout',
      fault: 'agent',
    })
    expect(await server.requests[0]?.ended).toBe('abandoned')
    expect(exitCode).toBe(1)
  })
})

describe('secrets', () => {
  const secret = 'sk-very-secret-0123456789'
  const everywhere = (cwd: string) => [
    readFileSync(join(cwd, 'x.jsonl'), 'utf8'),
    readFileSync(join(cwd, 'x.json'), 'utf8'),
  ]

  it('a key that the agent repeats is redacted in reports, events and on the terminal', async () => {
    const server = await startFakeOpenAIServer({ answer: () => `hello, your key is ${secret}` })
    onTestFinished(() => server.close())
    const cases = [hello, { id: 'fails', input: 'hello', expected: 'x' }]
    const cwd = project({ 'viva.config.json': quick, 'cases.jsonl': jsonl(...cases) })
    const address = server.url.replace('//', '//bob:pass-word-123@')
    const args = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      `openai:${address}#m`,
      '-o',
      'x.jsonl',
      '-o',
      'x.json',
      '-v',
      '--json',
    ]
    const { stdout, stderr } = await viva(args, { cwd, env: { OPENAI_API_KEY: secret } })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    for (const text of [stdout, stderr, ...everywhere(cwd)]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('pass-word-123')
      expect(text).toContain('[redacted]')
    }
  })

  it('a secret of the environment that an agent logs or throws is redacted', async () => {
    const cwd = project({
      'agent.mjs': `export default () => { console.log(process.env.SERVICE_TOKEN); throw new Error('no: ' + process.env.SERVICE_TOKEN) }\n`,
      'cases.jsonl': jsonl(hello),
    })
    const args = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      './agent.mjs',
      '-o',
      'x.jsonl',
      '-o',
      'x.json',
      '-v',
      '--json',
    ]
    const { stdout, stderr } = await viva(args, { cwd, env: { SERVICE_TOKEN: secret } })
    for (const text of [stdout, stderr, ...everywhere(cwd)]) expect(text).not.toContain(secret)
  })

  it('a secret that is an ordinary word changes no verdict, and one that is too short is refused', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({ secrets: ['WORD', 'FILE'] }),
      'agent.mjs': 'export default (input) => input + " passed"\n',
      'passed-cases/passed01.jsonl': jsonl(hello),
    })
    const args = ['test', '-i', 'passed-cases/passed01.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl']
    const { exitCode, stdout } = await viva(args, { cwd, env: { WORD: 'assertion', FILE: 'passed01' } })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Passed:  1')
    const short = await viva(args, { cwd, env: { WORD: 'pass' } })
    expect(short.stderr).toContain('secret WORD has fewer than 8 characters')
    expect(short.exitCode).toBe(2)
    expect(results(join(cwd, 'x.jsonl'))).toHaveLength(1)
  })
})
