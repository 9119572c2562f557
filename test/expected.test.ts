import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { echoAgent, jsonl, project, readJsonl, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }
const known = (id: string, value: string, until?: string) => ({
  id,
  input: 'hello',
  assert: { type: 'contains', value },
  expected_failure: { reason: 'ticket 7', ...(until ? { until } : {}) },
})

async function run(cases: unknown[], ...args: string[]) {
  const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(...cases) })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', ...args], {
    cwd,
  })
  return { ...ended, cwd }
}

describe('expected_failure', () => {
  it('an expected failure does not fail the run, is not retried, and is reported when it passes', async () => {
    const { exitCode, stdout, cwd } = await run(
      [hello, known('fails', 'bye'), known('passes', 'hello')],
      '--retries',
      '2',
      '--fail-fast',
    )
    expect(exitCode).toBe(0)
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({
      total: 3,
      passed: 2,
      failed: 0,
      expected_failures: 1,
      pass_rate: 100,
    })
    expect(stdout).toContain('✗ [fails]')
    expect(stdout).toContain('expected: ticket 7')
    expect(stdout).toContain('passes now: remove expected_failure')
    expect(stdout).not.toContain('Run what failed again')
  })

  it('an expected failure counts as a failure again after its date', async () => {
    expect((await run([hello, known('fails', 'bye', '2020-01-01')])).exitCode).toBe(1)
    expect((await run([hello, known('fails', 'bye', '2999-01-01')])).exitCode).toBe(0)
  })

  it('an expected failure without a reason is refused', async () => {
    const { exitCode, stderr } = await run([{ ...hello, expected_failure: { until: 'soon' } }])
    expect(stderr).toContain('expected_failure.reason is missing')
    expect(exitCode).toBe(2)
  })
})

describe('--max-infrastructure-errors', () => {
  it('infrastructure errors up to the given share do not fail the run', async () => {
    const server = await startFakeOpenAIServer({
      answer: (_, index) => (index === 0 ? { status: 400 } : 'hello'),
    })
    onTestFinished(() => server.close())
    const cases = Array.from({ length: 10 }, (_, index) => ({ ...hello, id: `c${index}` }))
    const cwd = project({ 'cases.jsonl': jsonl(...cases) })
    const args = ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`]
    expect(
      (await viva([...args, '-o', 'x.jsonl', '--max-infrastructure-errors', '10%'], { cwd })).exitCode,
    ).toBe(0)
  })

  it.each(['5', '-5%', '101%', 'some'])('a value that is not a share is refused: %s', async (value) => {
    const { exitCode, stderr } = await run([hello], '--max-infrastructure-errors', value)
    expect(stderr).toContain('must be a share like 5%')
    expect(exitCode).toBe(2)
  })
})

describe('--tag', () => {
  const cases = [
    { ...hello, id: 'a', tags: ['smoke'] },
    { ...hello, id: 'b', tags: ['smoke', 'slow'] },
    { ...hello, id: 'c' },
  ]

  it('--tag selects cases with and without a tag', async () => {
    expect((await run(cases, '--list', '--tag', 'smoke and not slow')).stdout).toBe('a [smoke]\n')
    expect((await run(cases, '--list', '--tag', 'slow', '--tag', '!smoke')).stdout).toBe(
      'b [smoke, slow]\nc\n',
    )
  })

  it('an incomplete expression of --tag is refused', async () => {
    expect((await run(cases, '--list', '--tag', 'smoke and')).stderr).toContain(
      '--tag "smoke and": a tag is missing',
    )
  })
})
