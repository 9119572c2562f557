import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FakeAnswer, startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { type Ended, jsonl, type Line, project, results, viva } from './support/viva.ts'

interface Playing {
  limits: unknown
  cases: unknown[]
  args?: string[]
  /** Whether the connector is a file of its own instead of part of the config. */
  inFile?: boolean
  answer?: (index: number) => FakeAnswer | Promise<FakeAnswer>
}

interface Played extends Ended {
  lines: Line[]
  /** The number of requests, and the largest number of them at the same time. */
  requests: number
  maxAtOnce: number
}

async function play({
  limits,
  cases,
  args = [],
  inFile = false,
  answer = () => 'hello',
}: Playing): Promise<Played> {
  let [requests, running, maxAtOnce] = [0, 0, 0]
  const server = await startFakeOpenAIServer({
    async answer(_, index) {
      requests += 1
      running += 1
      maxAtOnce = Math.max(maxAtOnce, running)
      await wait(20)
      running -= 1
      return answer(index)
    },
  })
  onTestFinished(() => server.close())
  const connector = { type: 'openai', options: { model: 'm', host: server.url }, limits }
  const network = { backoff: '5ms' }
  const cwd = project({
    'app.yao': '{}',
    'viva.config.json': JSON.stringify(inFile ? { network } : { network, connectors: { c: connector } }),
    ...(inFile ? { 'connectors/c.conn.yao': JSON.stringify(connector) } : {}),
    'assistants/a/package.yao': JSON.stringify({ connector: 'c' }),
    'assistants/a/prompts.yml': '- {role: system, content: Help.}',
    'assistants/b/package.yao': JSON.stringify({ connector: 'c' }),
    'assistants/b/prompts.yml': '- {role: system, content: Help.}',
    'cases.jsonl': jsonl(...cases),
  })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '-o', 'x.jsonl', ...args], { cwd })
  return { ...ended, lines: ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl')), requests, maxAtOnce }
}

const asking = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    input: 'hello',
    assert: { type: 'contains', value: 'hello' },
    ...more,
  }))

describe('limits of a connector', () => {
  it('the limits of a connector hold for all cases and variants together', async () => {
    const { exitCode, requests, maxAtOnce } = await play({
      limits: { concurrency: 2 },
      cases: asking(8),
      args: ['-n', 'b', '--parallel', '16'],
      inFile: true,
    })
    expect(exitCode).toBe(0)
    expect(requests).toBe(16)
    expect(maxAtOnce).toBe(2)
  })

  it('waiting for a limit does not count for the timeout or the latency of a case', async () => {
    const { exitCode, lines, requests, maxAtOnce } = await play({
      limits: { requests_per_minute: 30 },
      cases: asking(3, { timeout: '1500ms', assert: { type: 'latency', max: '1400ms' } }),
      args: ['--parallel', '3'],
    })
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
    expect(exitCode).toBe(0)
    expect(requests).toBe(3)
    expect(maxAtOnce).toBe(1)
  })

  it('the limits of a connector hold for retries', async () => {
    const { exitCode, maxAtOnce, requests, lines } = await play({
      limits: { concurrency: 1 },
      cases: asking(4),
      args: ['--parallel', '4'],
      answer: (index) => (index < 4 ? { status: 500 } : 'hello'),
    })
    expect(exitCode).toBe(0)
    expect(maxAtOnce).toBe(1)
    expect(requests).toBe(8)
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  it('a Retry-After of the server delays all requests of the connector', async () => {
    let closedUntil = 0
    let refused = 0
    const { exitCode, requests } = await play({
      limits: { concurrency: 1 },
      cases: asking(4),
      args: ['--parallel', '4'],
      answer() {
        if (closedUntil === 0) closedUntil = performance.now() + 500
        if (performance.now() > closedUntil) return 'hello'
        refused += 1
        return { status: 429, headers: { 'retry-after-ms': '600' } }
      },
    })
    expect(exitCode).toBe(0)
    expect(refused).toBe(1)
    expect(requests).toBe(5)
  })

  it('a run that is stopped does not wait for a limit', async () => {
    const { exitCode, requests } = await play({
      limits: { requests_per_minute: 1 },
      cases: asking(3, { assert: { type: 'contains', value: 'bye' } }),
      args: ['--parallel', '3', '--fail-fast'],
    })
    expect(exitCode).toBe(1)
    expect(requests).toBe(1)
  })

  it.each([
    [{ concurency: 4 }, 'unknown key "concurency" in', 'did you mean "concurrency"?'],
    [{ concurrency: 0 }, 'limits.concurrency must be at least 1', ''],
    [{ requests_per_minute: -5 }, 'limits.requests_per_minute must be at least 1', ''],
    [{ requests_per_minute: 'many' }, 'limits.requests_per_minute must be a', ''],
  ])('invalid limits are refused: %j', async (limits, message, hint) => {
    for (const inFile of [false, true]) {
      const { exitCode, stderr, requests } = await play({ limits, cases: asking(1), inFile })
      expect(stderr).toContain(message)
      expect(stderr).toContain(hint)
      expect(exitCode).toBe(2)
      expect(requests).toBe(0)
    }
  })
})
