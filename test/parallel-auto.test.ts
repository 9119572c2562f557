import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FakeAnswer, startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { echoAgent, type Played, play, project, readJsonl, viva } from './support/viva.ts'

interface Server {
  /** Of every request that was answered: how many were under way when it came, and whether it was refused. */
  requests: { atOnce: number; refused: boolean }[]
  maxAtOnce(): number
}

const refusal: FakeAnswer = { status: 429 }

/** Plays cases against a model server on loopback. `answer` gets the number of requests under way. */
async function playAgainst(
  answer: (atOnce: number) => FakeAnswer,
  cases: readonly unknown[],
  flags: readonly string[],
): Promise<Played & Server & { cwd: string }> {
  const requests: Server['requests'] = []
  let underWay = 0
  const server = await startFakeOpenAIServer({
    async answer() {
      underWay += 1
      const atOnce = underWay
      const given = answer(atOnce)
      if (given !== refusal) await wait(20)
      underWay -= 1
      requests.push({ atOnce, refused: given === refusal })
      return given
    },
  })
  onTestFinished(() => server.close())
  const cwd = project({ 'viva.config.json': JSON.stringify({ network: { backoff: '40ms' } }) })
  const played = await play(cwd, cases, ['-n', `openai:${server.url}#m`, ...flags])
  return { ...played, cwd, requests, maxAtOnce: () => Math.max(...requests.map(({ atOnce }) => atOnce)) }
}

const ask = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    input: 'hello',
    assert: { type: 'contains', value: 'hello' },
    ...more,
  }))

describe('--parallel auto', () => {
  it('runs more cases at once than at the start, and says how many', async () => {
    const { exitCode, stdout, cwd, maxAtOnce } = await playAgainst(() => 'hello', ask(60), [
      '--parallel',
      'auto',
    ])
    expect(exitCode).toBe(0)
    expect(maxAtOnce()).toBeGreaterThanOrEqual(8)
    const summary = readJsonl(join(cwd, 'results.jsonl')).at(-1)
    expect(stdout).toContain(`Parallel: auto, at most ${summary?.auto_parallel} at once`)
    expect(summary?.auto_parallel).toBeGreaterThanOrEqual(maxAtOnce())
  })

  it('finds out how many requests a server accepts at once, without failed cases', async () => {
    const { exitCode, lines, requests } = await playAgainst(
      (atOnce) => (atOnce > 6 ? refusal : 'hello'),
      ask(300),
      ['--parallel', 'auto'],
    )
    expect(exitCode).toBe(0)
    expect(lines.filter(({ status }) => status === 'passed')).toHaveLength(300)
    const settled = requests.slice(requests.length / 2)
    expect(Math.max(...settled.map(({ atOnce }) => atOnce))).toBeGreaterThanOrEqual(5)
    expect(settled.filter(({ refused }) => refused).length).toBeLessThan(settled.length * 0.1)
  })

  it('starts no more requests than remain before the reset, and the wait is not time of a case', async () => {
    const [allowed, windowMs] = [20, 2000]
    let [left, end] = [0, 0]
    const answer = (): FakeAnswer => {
      const now = performance.now()
      if (now >= end) [left, end] = [allowed, now + windowMs]
      if (left === 0) return refusal
      left -= 1
      const headers = {
        'x-ratelimit-remaining-requests': String(left),
        'x-ratelimit-reset-requests': `${Math.ceil(end - now)}ms`,
      }
      return { text: 'hello', headers }
    }
    const cases = ask(30, { timeout: '1500ms' })
    const { exitCode, requests } = await playAgainst(answer, cases, ['--parallel', 'auto'])
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(30)
    expect(requests.filter(({ refused }) => refused)).toEqual([])
  })

  it('stops at the first failure with --fail-fast, and goes on with --resume', async () => {
    const failing = { id: 'failing', input: 'hello', assert: { type: 'contains', value: 'goodbye' } }
    const cases = [failing, ...ask(60)]
    const cwd = project({ 'agent.mjs': echoAgent })
    const flags = ['-n', './agent.mjs', '--parallel', 'auto']
    const stopped = await play(cwd, cases, [...flags, '--fail-fast'])
    expect(stopped.exitCode).toBe(1)
    expect(stopped.lines.filter(({ status }) => status === 'not_run').length).toBeGreaterThan(0)
    const resumed = await viva(['test', '-i', 'cases.jsonl', '--resume', 'results.jsonl', ...flags], { cwd })
    expect(resumed.exitCode).toBe(1)
    expect(resumed.stdout).toMatch(/Passed: +60\n +Failed: +1\n/)
  })

  it('does not start runs in advance with --runs auto', async () => {
    const flags = ['--parallel', 'auto', '--runs', 'auto', '--gate', '0.5']
    const { exitCode, stdout, maxAtOnce } = await playAgainst(() => 'hello', ask(2), flags)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('runs that were not needed')
    expect(maxAtOnce()).toBeLessThanOrEqual(8)
  })

  it('is the default if the config says so, and nothing else is accepted instead of a number', async () => {
    const agent = { 'agent.mjs': 'export default (input) => input\n' }
    const configured = project({ ...agent, 'viva.config.json': '{"parallel": "auto"}' })
    const { stdout } = await play(configured, ask(2), ['-n', './agent.mjs'])
    expect(stdout).toContain('Parallel: auto, at most 2 at once')
    const { exitCode, stderr } = await play(project(agent), ask(2), ['--parallel', 'fast'])
    expect(stderr).toBe('✗ --parallel fast: must be a whole number from 1 to 1000, or auto\n')
    expect(exitCode).toBe(2)
  })
})

describe('a fixed --parallel', () => {
  it('is not changed by what a server reports', async () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m0s' }
    const answer = (): FakeAnswer => ({ text: 'hello', headers })
    const { exitCode, stdout, maxAtOnce } = await playAgainst(answer, ask(20), ['--parallel', '5'])
    expect(exitCode).toBe(0)
    expect(maxAtOnce()).toBe(5)
    expect(stdout).not.toContain('Parallel:')
  })
})
