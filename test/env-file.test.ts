import { describe, expect, it } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { jsonl, project, viva } from './support/viva.ts'

const secret = 'sk-from-the-file-4711'

describe('the .env file of a project', () => {
  const agent = `export default () => JSON.stringify([process.env.TONE, process.env.COLOUR, process.env.NODE_OPTIONS ?? null])`
  const envProject = () =>
    project({
      '.env': `TONE=kind\nCOLOUR=red\nNODE_OPTIONS=--no-such-option\nLD_PRELOAD=/no/such/file\nMY_API_KEY=${secret}\n`,
      'viva.config.json': '{}',
      'agent.mjs': agent,
      'leak.mjs': `export default () => 'the key is ${secret}'`,
    })

  it('.env does not override the environment, and sets no variable that starts programs', async () => {
    const args = ['test', '-i', 'Hi', '-n', './agent.mjs']
    const { stdout, exitCode } = await viva(args, { cwd: envProject(), env: { COLOUR: 'blue' } })
    expect(stdout).toContain('["kind","blue",null]')
    expect(exitCode).toBe(0)
  })

  it('secrets in .env are redacted', async () => {
    const cwd = envProject()
    const leaking = await viva(['test', '-i', 'Hi', '-n', './leak.mjs', '-o', 'x.jsonl'], { cwd })
    expect(leaking.stdout + leaking.stderr).not.toContain(secret)
  })
})

describe('cases that are not selected', () => {
  it('a missing key or judge is an error only when a case that needs it is selected', async () => {
    const server = await startFakeOpenAIServer({ answer: () => '{"passed": true}' })
    const cases = jsonl(
      { id: 'hello', input: 'Hi', assert: { type: 'contains', value: 'Hi' } },
      { id: 'judged', input: 'Hi', assert: { type: 'judge', criteria: 'is polite' } },
      { id: 'played', input: 'Hi', simulator: { goal: 'x' }, assert: { type: 'contains', value: 'Hi' } },
    )
    const connectors = { judge: { type: 'openai', options: { model: 'm', key: '$ENV.NO_SUCH_KEY' } } }
    const cwd = project({
      'cases.jsonl': cases,
      'agent.mjs': 'export default (input) => String(input)',
      'viva.config.json': JSON.stringify({ connectors, helpers: { connector: 'judge' } }),
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl']
    expect((await viva([...args, '--run', '^hello$'], { cwd })).exitCode).toBe(0)
    const all = await viva(args, { cwd })
    expect(all.exitCode).toBe(2)
    expect(all.stderr).toMatch(/cases\.jsonl:2:\d+: judged: .*NO_SUCH_KEY/)
    expect(all.stderr).toContain('played: ')
    await server.close()
  })
})
