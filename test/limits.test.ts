import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FakeAnswer, startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { type Ended, jsonl, type Line, project, results, viva } from './support/viva.ts'

interface Playing {
  limits: unknown
  cases: unknown[]
  args?: string[]
  /** Where the connector stands. Default: the config. */
  inFile?: boolean
  answer?: (index: number) => FakeAnswer | Promise<FakeAnswer>
}

interface Played extends Ended {
  lines: Line[]
  /** How many requests came, and how many there were at once at most. */
  came: number
  most: number
}

async function play({
  limits,
  cases,
  args = [],
  inFile = false,
  answer = () => 'hello',
}: Playing): Promise<Played> {
  let [came, running, most] = [0, 0, 0]
  const server = await startFakeOpenAIServer({
    async answer(_, index) {
      came += 1
      running += 1
      most = Math.max(most, running)
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
  return { ...ended, lines: ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl')), came, most }
}

const asking = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    input: 'hello',
    assert: { type: 'contains', value: 'hello' },
    ...more,
  }))

describe('the limits of a connector', () => {
  it('hold for all cases and variants together', async () => {
    const { exitCode, came, most } = await play({
      limits: { concurrency: 2 },
      cases: asking(8),
      args: ['-n', 'b', '--parallel', '16'],
      inFile: true,
    })
    expect(exitCode).toBe(0)
    expect(came).toBe(16)
    expect(most).toBe(2)
  })

  it('cost a case nothing: neither its timeout nor its latency knows of the wait', async () => {
    const { exitCode, lines, came, most } = await play({
      limits: { requests_per_minute: 30 },
      cases: asking(3, { timeout: '1500ms', assert: { type: 'latency', max: '1400ms' } }),
      args: ['--parallel', '3'],
    })
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
    expect(exitCode).toBe(0)
    expect(came).toBe(3)
    expect(most).toBe(1)
  })

  it('hold for retries', async () => {
    const { exitCode, most, came, lines } = await play({
      limits: { concurrency: 1 },
      cases: asking(4),
      args: ['--parallel', '4'],
      answer: (index) => (index < 4 ? { status: 500 } : 'hello'),
    })
    expect(exitCode).toBe(0)
    expect(most).toBe(1)
    expect(came).toBe(8)
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  it('are heeded when the server sets them: who comes after a Retry-After waits with the first', async () => {
    let closedUntil = 0
    let refused = 0
    const { exitCode, came } = await play({
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
    expect(came).toBe(5)
  })

  it('do not keep an interrupted run from ending', async () => {
    const { exitCode, came } = await play({
      limits: { requests_per_minute: 1 },
      cases: asking(3, { assert: { type: 'contains', value: 'bye' } }),
      args: ['--parallel', '3', '--fail-fast'],
    })
    expect(exitCode).toBe(1)
    expect(came).toBe(1)
  })

  it.each([
    [{ concurency: 4 }, 'unknown key "concurency" in', 'did you mean "concurrency"?'],
    [{ concurrency: 0 }, 'limits.concurrency must be at least 1', ''],
    [{ requests_per_minute: -5 }, 'limits.requests_per_minute must be at least 1', ''],
    [{ requests_per_minute: 'many' }, 'limits.requests_per_minute must be a', ''],
  ])('cannot be %j', async (limits, message, hint) => {
    for (const inFile of [false, true]) {
      const { exitCode, stderr, came } = await play({ limits, cases: asking(1), inFile })
      expect(stderr).toContain(message)
      expect(stderr).toContain(hint)
      expect(exitCode).toBe(2)
      expect(came).toBe(0)
    }
  })
})
