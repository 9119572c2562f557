import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { echoAgent, jsonl, project, results, viva } from './support/viva.ts'

const user = (says: string) =>
  `export default () => JSON.stringify({ message: ${JSON.stringify(says)}, goal_achieved: true })`
const validator = 'export default () => JSON.stringify({ passed: true, reason: "beside" })'
const simulated = { id: 'a', input: 'Hello', simulator: { use: './user.mjs', goal: 'g' } }

describe('modules of helper agents', () => {
  const play = async (files: Record<string, string>, ...flags: string[]) => {
    const cwd = project({ 'viva.config.json': '{}', 'agent.mjs': echoAgent, ...files })
    const ended = await viva(['test', '-i', 'tests', '-n', './agent.mjs', '-o', 'out.jsonl', ...flags], {
      cwd,
    })
    return { ...ended, cwd }
  }
  const simulatedInputs = (cwd: string) =>
    results(join(cwd, 'out.jsonl')).map(({ turns }) => (turns as { input: string }[])[1]?.input)

  it('the module of a simulator is looked for beside the case file, then in the working folder', async () => {
    const { exitCode, stderr, cwd } = await play({
      'tests/one/a.jsonl': jsonl(simulated),
      'tests/one/user.mjs': user('from one'),
      'tests/two/b.jsonl': jsonl(simulated),
      'tests/two/user.mjs': user('from two'),
      'tests/c.jsonl': jsonl(simulated),
      'user.mjs': user('from the working folder'),
    })
    expect(exitCode, stderr).toBe(0)
    expect(simulatedInputs(cwd).sort()).toEqual(['from one', 'from the working folder', 'from two'])
  })

  it('a module that is not found is an error that lists the places searched', async () => {
    const { exitCode, stderr, cwd } = await play({ 'tests/a.jsonl': jsonl(simulated) })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`agent ./user.mjs: no such file ${cwd}/tests/user.mjs or ${cwd}/user.mjs`)
  })

  it('--simulator names a module in the working folder', async () => {
    const { simulator: _, ...open } = simulated
    const { cwd } = await play(
      {
        'tests/a.jsonl': jsonl({ ...open, type: 'multi_turn' }),
        'tests/user.mjs': user('from tests'),
        'user.mjs': user('from the working folder'),
      },
      '--simulator',
      './user.mjs',
    )
    expect(simulatedInputs(cwd)).toEqual(['from the working folder'])
  })

  it('the module of a validator is looked for beside the case file too', async () => {
    const assert = { type: 'agent', use: './validator.mjs', value: 'fine' }
    const { exitCode, stderr } = await play({
      'tests/a.jsonl': jsonl({ id: 'a', input: 'hi', assert }),
      'tests/validator.mjs': validator,
    })
    expect(exitCode, stderr).toBe(0)
  })
})
