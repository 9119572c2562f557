import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, play, project, repository } from './support/viva.ts'

const getTurns = (line: Line | undefined) => (line?.turns ?? []) as Line[]

describe('conversations that run at the same time', () => {
  /** An agent that answers with everything said so far, its own replies included. */
  const recalling = `
export default async (input, { history }) => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
  return [...history.map(({ content }) => content), input].join(' | ')
}
`

  /** The replies of an agent that saw this conversation and no other. */
  function recalled(inputs: readonly string[]): string[] {
    const said: string[] = []
    return inputs.map((input) => {
      said.push(input)
      const reply = said.join(' | ')
      said.push(reply)
      return reply
    })
  }

  it('500 conversations of 6 turns, 50 at a time, never share a history', async () => {
    const cwd = project({ 'agent.mjs': recalling })
    const cases = Array.from({ length: 500 }, (_, index) => ({
      id: `c${index}`,
      turns: Array.from({ length: 6 }, (_, turn) => ({ input: `c${index}.${turn + 1}` })),
    }))
    const { exitCode, lines } = await play(cwd, cases, ['-n', './agent.mjs', '--parallel', '50'])
    expect(exitCode).toBe(0)
    expect(lines).toHaveLength(500)
    expect(new Set(lines.map(({ session_id }) => session_id)).size).toBe(500)
    const mixed = lines.filter((line) => {
      const expected = recalled([1, 2, 3, 4, 5, 6].map((turn) => `${String(line.id)}.${turn}`))
      return JSON.stringify(getTurns(line).map(({ output }) => output)) !== JSON.stringify(expected)
    })
    expect(mixed).toEqual([])
  })

  it('a simulator sees only its own conversation', async () => {
    const cwd = project({
      'agent.mjs': recalling,
      'user.mjs': `
export default async (text) => {
  const { goal, turn_number, conversation } = JSON.parse(text)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
  const heard = conversation.filter(({ role }) => role === 'user').map(({ content }) => content.split(' ')[0])
  return { input: [\`\${goal}.\${turn_number}\`, 'after', ...heard].join(' '), goal_achieved: turn_number === 6 }
}
`,
    })
    const cases = Array.from({ length: 200 }, (_, index) => ({
      id: `c${index}`,
      simulator: { use: './user.mjs', goal: `c${index}` },
    }))
    const { exitCode, lines } = await play(cwd, cases, ['-n', './agent.mjs', '--parallel', '50'])
    expect(exitCode).toBe(0)
    const mixed = lines.filter((line) => {
      const names = [1, 2, 3, 4, 5, 6].map((turn) => `${String(line.id)}.${turn}`)
      const inputs = names.map((name, index) => [name, 'after', ...names.slice(0, index)].join(' '))
      const turns = getTurns(line).map(({ input, output }) => [input, output])
      const expected = recalled(inputs).map((output, index) => [inputs[index], output])
      return JSON.stringify(turns) !== JSON.stringify(expected)
    })
    expect(mixed).toEqual([])
  })
})

describe('the history of a turn', () => {
  it('the history of a turn includes the tool exchanges of the turns before', async () => {
    const server = join(repository, 'test/fixtures/tools/official.mjs')
    const cwd = project({
      'app.yao': '{}',
      'mcps/desk.mcp.yao': JSON.stringify({
        transport: 'stdio',
        command: process.execPath,
        arguments: [server],
      }),
      'connectors/mind.conn.yao': '{"type": "scripted", "options": {"module": "mind.mjs"}}',
      'mind.mjs': `
export default ({ messages }) => {
  const last = messages.at(-1)
  if (last.role === 'tool') return 'Your order is on its way.'
  if (last.content.includes('A7')) return { reply: 'Let me see.', tool_calls: [{ name: 'desk__look_up', arguments: { id: 'A7' } }] }
  return JSON.stringify(messages.map(({ role, content, toolCalls = [] }) => [role, content, ...toolCalls.map(({ name }) => name)]))
}
`,
      'assistants/desk/package.yao': '{"name": "Desk", "connector": "mind", "mcp": {"servers": ["desk"]}}',
    })
    const turns = [{ input: 'I wait for A7' }, { input: 'Say it all again' }]
    const { exitCode, output, lines } = await play(cwd, [{ id: 'a', turns }], ['-n', 'desk'])
    expect(output).toContain('Passed:  1')
    expect(exitCode).toBe(0)
    expect(JSON.parse(String(getTurns(lines[0])[1]?.output))).toEqual([
      ['user', 'I wait for A7'],
      ['assistant', 'Let me see.', 'desk__look_up'],
      ['tool', '{"id":"A7","status":"shipped"}'],
      ['assistant', 'Your order is on its way.'],
      ['user', 'Say it all again'],
    ])
  })
})
