import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demo, jsonl, type Line, project, readJsonl, results, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }

describe('several agents and connectors in one run', () => {
  it('every case is played with every variant, and the variants are compared', async () => {
    const cwd = project({
      'good.mjs': 'export default (input) => input\n',
      'bad.mjs': 'export default (input) => input === "hello" ? "bye" : input\n',
      'cases.jsonl': jsonl(hello, { id: 'both', input: 'x', expected: 'x' }),
    })
    const args = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      './good.mjs',
      '-n',
      './bad.mjs',
      '-o',
      'x.jsonl',
      '-o',
      'x.json',
    ]
    const { exitCode, stdout } = await viva(args, { cwd })
    expect(exitCode).toBe(1)
    expect(results(join(cwd, 'x.jsonl')).map(({ id, variant, status }) => [id, variant, status])).toEqual([
      ['hello', 'good.mjs', 'passed'],
      ['hello', 'bad.mjs', 'failed'],
      ['both', 'good.mjs', 'passed'],
      ['both', 'bad.mjs', 'passed'],
    ])
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({
      total: 4,
      passed: 3,
      variants: {
        'good.mjs': { passed: 2, failed: 0, pass_rate: 100 },
        'bad.mjs': { passed: 1, failed: 1, pass_rate: 50 },
      },
    })
    const report = JSON.parse(readFileSync(join(cwd, 'x.json'), 'utf8')) as { summary: Line }
    expect(report.summary).toMatchObject({ overall_pass_rate: 75, variants: { 'bad.mjs': { failed: 1 } } })
    expect(stdout).toMatch(/good\.mjs +2 passed, 0 failed, 100%/)
    expect(stdout).toMatch(/Where they differ\n +good\.mjs +bad\.mjs *\n +hello +passed +failed/)
    expect(stdout).toContain('-n ./good.mjs -n ./bad.mjs')
  })

  it('an unknown connector among several is refused', async () => {
    const cwd = demo()
    const args = [
      'test',
      '-i',
      'assistants/expense/tests/inputs.jsonl',
      '-n',
      'expense',
      '-c',
      'scripted',
      '-c',
      'scriptd',
    ]
    const wrong = await viva(args, { cwd })
    expect(wrong.stderr).toContain('unknown connector "scriptd"')
    expect(wrong.exitCode).toBe(2)
  })

  const namedAgents = () =>
    project({
      'viva.config.json': JSON.stringify({
        agents: {
          one: { url: 'http://127.0.0.1:9/echo?key=1' },
          two: { url: 'http://127.0.0.1:9/echo?key=2' },
        },
        network: { retries: 0 },
      }),
      'cases.jsonl': jsonl(hello),
      'a.mjs': 'export default (input) => input\n',
    })
  const play = (cwd: string, ...names: string[]) =>
    viva(['test', '-i', 'cases.jsonl', '-o', 'x.jsonl', ...names.flatMap((name) => ['-n', name])], { cwd })

  it('two agents that differ only in their credentials are refused', async () => {
    const cwd = namedAgents()
    const same = await play(cwd, 'http://127.0.0.1:9/echo?key=3', 'http://127.0.0.1:9/echo?key=4')
    expect(same.stderr).toContain('two agents are both http://127.0.0.1:9/echo, so their results')
    expect(same.exitCode).toBe(2)
  })

  it('an agent that is named twice is one variant', async () => {
    const cwd = namedAgents()
    const twice = await play(cwd, './a.mjs', './a.mjs')
    expect(twice.exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl'))).toHaveLength(1)
  })

  it('agents of the config whose URLs differ only in a key are separate variants', async () => {
    const cwd = namedAgents()
    await play(cwd, 'one', 'two')
    expect(results(join(cwd, 'x.jsonl')).map(({ variant }) => variant)).toEqual(['one', 'two'])
  })

  it('--resume continues all variants', async () => {
    const cwd = project({
      'a.mjs': 'export default (input) => input\n',
      'b.mjs': 'export default (input) => input\n',
      'cases.jsonl': jsonl(hello),
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './a.mjs', '-n', './b.mjs']
    await viva([...args, '-o', 'x.jsonl'], { cwd })
    const { stdout, exitCode } = await viva([...args, '--resume', 'x.jsonl'], { cwd })
    expect(stdout).toContain('Resumed: 2')
    expect(exitCode).toBe(0)
  })
})
