import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { jsonl, project, readJsonl, results, viva } from './support/viva.ts'

const cases = Array.from({ length: 12 }, (_, index) => ({
  id: `case-${index}`,
  input: 'hello',
  assert: { type: 'contains', value: 'hello' },
}))

async function startServer(status: number) {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.writeHead(status).end('{"error": {"message": "no"}}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests: () => requests }
}

/** A port on which nobody listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/v1`
}

/** With the usual number of retries, one soon after the other. */
const network = { backoff: '10ms' }

async function run(config: object, ...args: string[]) {
  const files = { 'viva.config.json': JSON.stringify({ network, ...config }) }
  const cwd = project({ 'cases.jsonl': jsonl(...cases), ...files })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-o', 'x.jsonl', ...args], { cwd })
  const written = results(join(cwd, 'x.jsonl'))
  return { cwd, ...ended, written, statuses: written.map(({ status }) => status) }
}

const stopped = [...Array(5).fill('failed'), ...Array(7).fill('not_run')]

describe('endpoints that never answer', () => {
  it('an unreachable endpoint is given up after five cases, the others are not run, and the run exits with 3', async () => {
    const url = await closedPort()
    const { stdout, exitCode, statuses, written } = await run({}, '-n', `openai:${url}#m`)
    const notices = stdout.match(/Gave up on/g)
    expect(notices).toHaveLength(1)
    expect(stdout).toContain(`Gave up on openai:m at ${url}/chat/completions: 5 tests without a success (`)
    expect(stdout).toMatch(/Not run:\s+7/)
    expect(statuses).toEqual(stopped)
    expect(exitCode).toBe(3)
    expect(written[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
    expect(written[11]).toMatchObject({
      termination: { reason: 'not_run', detail: expect.stringContaining('not called: openai:m at') },
    })
    expect(JSON.stringify(written[0]).match(/trying again/g)).toHaveLength(1)
  })

  it.each([401, 403, 404])('an endpoint that always answers %i is asked five times', async (status) => {
    const { url, requests } = await startServer(status)
    const { exitCode, statuses } = await run({}, '-n', `openai:${url}#m`)
    expect(statuses).toEqual(stopped)
    expect(exitCode).toBe(3)
    expect(requests()).toBe(5)
  })

  it('giving up an endpoint does not affect another variant', async () => {
    const alive = await startFakeOpenAIServer({ answer: () => 'hello' })
    onTestFinished(() => alive.close())
    const { url } = await startServer(404)
    const names = ['-n', `openai:${url}#m`, '-n', `openai:${alive.url}#m`]
    const { statuses, exitCode } = await run({}, ...names)
    expect(statuses.filter((status) => status === 'passed')).toHaveLength(12)
    expect(statuses.filter((status) => status === 'not_run')).toHaveLength(7)
    expect(exitCode).toBe(3)
  })

  it('--resume asks an endpoint that was given up again', async () => {
    const { url, requests } = await startServer(403)
    const { cwd } = await run({}, '-n', `openai:${url}#m`, '--json')
    expect(requests()).toBe(5)
    const again = await viva(
      ['test', '-i', 'cases.jsonl', '-n', `openai:${url}#m`, '--resume', 'x.jsonl', '--json'],
      { cwd },
    )
    expect(again.exitCode).toBe(3)
    // Seven cases were not run, and the endpoint is given up again after five of them.
    expect(requests()).toBe(10)
    const events = again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.filter(({ type }) => type === 'target_given_up')).toMatchObject([{ tests: 5 }])
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({ type: 'summary', not_run: 2, failed: 10 })
  })

  it('an endpoint that answered once is asked for every case', async () => {
    let requests = 0
    const server = await startFakeOpenAIServer({
      answer: () => {
        requests += 1
        if (requests > 1) throw new Error('broken')
        return 'hello'
      },
    })
    onTestFinished(() => server.close())
    const { statuses } = await run({}, '-n', `openai:${server.url}#m`)
    expect(statuses).not.toContain('not_run')
  })

  it('an HTTP agent whose address differs from case to case counts as one endpoint', async () => {
    const { url, requests } = await startServer(401)
    const config = { agents: { shop: { url: `${url}/{{sessionId}}`, request: { text: '{{input}}' } } } }
    const { statuses, exitCode } = await run(config, '-n', 'shop')
    expect(statuses).toEqual(stopped)
    expect(requests()).toBe(5)
    expect(exitCode).toBe(3)
  })
})
