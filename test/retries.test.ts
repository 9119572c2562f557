import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, readJsonl, results, viva } from './support/viva.ts'

/** Fails as often as the input says. It counts in a file, because every attempt has a fresh session. */
const shaky = `import { appendFileSync, readFileSync } from 'node:fs'
export default (input) => {
  appendFileSync('calls-' + input, 'x')
  return readFileSync('calls-' + input, 'utf8').length > Number(input) ? 'good' : 'bad'
}
`
const passes = (id: string, input: string, more: object = {}) => ({ id, input, expected: 'good', ...more })

describe('--retries', () => {
  it('a failed case is played again from its start, and is flaky when it then passes', async () => {
    const cwd = project({
      'agent.mjs': shaky,
      'cases.jsonl': jsonl(passes('steady', '0'), passes('shaky', '1'), passes('hopeless', '9')),
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
      '--retries',
      '2',
    ]
    const { exitCode, stdout } = await viva(args, { cwd })
    const lines = results(join(cwd, 'x.jsonl')).map(({ id, attempt, status, flaky, retrying }) => [
      id,
      attempt,
      status,
      flaky ?? retrying,
    ])
    expect(lines).toEqual([
      ['steady', 1, 'passed', undefined],
      ['shaky', 1, 'failed', true],
      ['shaky', 2, 'passed', true],
      ['hopeless', 1, 'failed', true],
      ['hopeless', 2, 'failed', true],
      ['hopeless', 3, 'failed', undefined],
    ])
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({
      total: 3,
      passed: 2,
      failed: 1,
      flaky: 1,
      not_run: 0,
    })
    expect(stdout).toContain('↻ [shaky] attempt 1 failed')
    expect(stdout).toContain('1 passed only after a retry')
    expect(stdout).toContain("--run '^(hopeless)$'")
    expect(exitCode).toBe(1)
  })

  it('the retries of a case beat --retries, and --fail-fast waits for the last attempt', async () => {
    const cwd = project({
      'agent.mjs': shaky,
      'cases.jsonl': jsonl(
        passes('shaky', '1', { retries: 1 }),
        passes('none', '8', { retries: 0 }),
        passes('later', '0'),
      ),
    })
    const args = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      './agent.mjs',
      '-o',
      'x.jsonl',
      '--retries',
      '5',
      '--fail-fast',
    ]
    const { exitCode } = await viva(args, { cwd })
    expect(exitCode).toBe(1)
    expect(results(join(cwd, 'x.jsonl')).map(({ id, status }) => [id, status])).toEqual([
      ['shaky', 'failed'],
      ['shaky', 'passed'],
      ['none', 'failed'],
      ['later', 'not_run'],
    ])
  })

  it.each(['-1', 'many', '21'])('--retries %s is refused', async (value) => {
    const cwd = project({ 'agent.mjs': shaky, 'cases.jsonl': jsonl(passes('a', '0')) })
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--retries', value],
      { cwd },
    )
    expect(stderr).toContain('must be a whole number from 0 to 20')
    expect(exitCode).toBe(2)
  })
})
