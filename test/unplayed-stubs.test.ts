import { describe, expect, it } from 'vitest'
import { play as playIn, project } from './support/viva.ts'

const stubs = { look_up: { result: 1 } }
const cases = [
  { id: 'plain', tags: ['live'], input: 'Hi', assert: { type: 'equals', value: 'hi' } },
  { id: 'stubbed', input: 'Hi', stubs },
  { id: 'stubbed-turn', turns: [{ input: 'Hi', stubs }] },
]
const refusal = (agent: string) => `${agent} runs its tools itself: viva cannot stub what it cannot see`

const desk = { connector: 'mind', tools: './tools.mjs' }
const connectors = { mind: { type: 'scripted', options: { rules: [{ reply: 'hi' }] } } }
const folder = () =>
  project({
    'viva.config.json': JSON.stringify({ connectors, agents: { desk } }),
    'tools.mjs': 'export const look_up = { inputSchema: {}, execute: () => 1 }',
    'echo.py': 'import sys\nfor line in sys.stdin: print(\'{"content": "hi"}\', flush=True)\n',
  })
const agent = 'exec:python3 echo.py'

describe('stubs of an agent that runs its tools itself', () => {
  it('stop the run if their case is played', async () => {
    for (const flags of [[], ['--run', '^stubbed$'], ['--dry-run']]) {
      const { exitCode, output } = await playIn(folder(), cases, ['-n', agent, ...flags])
      expect(output).toContain(`: stubbed: ${refusal(agent)}`)
      expect(output.includes(': stubbed-turn: ')).toBe(flags[0] !== '--run')
      expect(exitCode).toBe(2)
    }
  })

  it.each([
    ['--run', '^plain$'],
    ['--tag', 'live'],
  ])('do not stop the cases that %s %s selects', async (...flags) => {
    const { exitCode, lines, output } = await playIn(folder(), cases, ['-n', agent, ...flags])
    expect(
      lines.map(({ id, status }) => [id, status]),
      output,
    ).toEqual([['plain', 'passed']])
    expect(exitCode).toBe(0)
  })

  it('stop every shard, also those that have none of them', async () => {
    for (const shard of ['1/3', '2/3', '3/3']) {
      const { exitCode, output } = await playIn(folder(), cases, ['-n', agent, '--shard', shard])
      expect([exitCode, output]).toEqual([2, expect.stringContaining(refusal(agent))])
    }
  })

  it('name the agent that they are refused for, of several', async () => {
    const { exitCode, output } = await playIn(folder(), cases, ['-n', 'desk', '-n', agent])
    expect(output).toContain(refusal(agent))
    expect(exitCode).toBe(2)
  })
})
