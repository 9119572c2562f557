import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvalSuite } from '../src/index.ts'
import { type A2AServer, startA2AAgent } from './support/a2a-agent.ts'
import { type HttpFormatAgents, startHttpFormatAgents } from './support/http-format-agents.ts'
import { type Line, play, project } from './support/viva.ts'

let http: HttpFormatAgents
let a2a: A2AServer

beforeAll(async () => {
  http = await startHttpFormatAgents(() => ({ text: 'done' }))
  a2a = await startA2AAgent()
})
afterAll(() => Promise.all([http.close(), a2a.close()]))

const python = `
import json, sys
for line in sys.stdin:
    print(json.dumps({"content": "done"}))
`
const scripts = `
export const user = ({ turn_number }) => ({ message: 'I did it', goal_achieved: turn_number > 1 })
export const judge = () => ({ verdict: 'unknown', reason: 'I see no calls' })
`

function folder(): string {
  const chat = `${http.url}/v1/chat/completions`
  const messages = [{ role: 'user', content: '{{input}}' }]
  const mapped = {
    url: chat,
    request: { messages },
    stream: 'sse',
    event: { delta: '$.choices[0].delta.content', end: '[DONE]' },
    response: { finish_reason: '$.choices[0].finish_reason?' },
  }
  const plain = { url: chat, request: { messages }, stream: 'sse', event: mapped.event }
  const agents = { ...http.agents, mapped, plain }
  return project({
    'viva.config.json': JSON.stringify({ agents }),
    'agent.ts': 'export default () => "done"',
    'agent.py': python,
    'tests.ts': scripts,
  })
}

/** What the check of a case without visible calls says. */
async function reasonOf(agent: string, assert: object, more: object = {}): Promise<[unknown, unknown]> {
  const { lines } = await play(folder(), [{ id: 'a', input: 'hi', assert, ...more }], ['-n', agent])
  const [line] = lines as [Line & { assertions?: Line[] }]
  const check = line.assertions?.[0]
  return [check?.status ?? line.status, check?.reason ?? line.error]
}

const called = { type: 'tool_called', name: 'pay' }
const unseen = 'the agent hides its tool calls, so whether it called pay is unknown. To make them visible, '

describe('a check of hidden tool calls is unknown, and says how to make them visible', () => {
  it.each<[string, () => string, string]>([
    [
      'a module',
      () => './agent.ts',
      'wrap them where the agent begins: const tools = ctx.tools({ lookUp, createOrder })',
    ],
    [
      'a command',
      () => 'exec:python3 agent.py',
      'print them with the answer: {"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}',
    ],
    [
      'HTTP with a mapping',
      () => 'mapped',
      'name the path of the tool calls in the answer with `response.tool_calls` of the agent in the config',
    ],
    [
      'HTTP without a mapping',
      () => 'plain',
      'answer with {"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}, or name a `format` or a `response` in the config',
    ],
    [
      'HTTP in the format openai-chat',
      () => 'openai-chat',
      'let the server answer with the `tool_calls` that it makes, or speak the Responses API, which has an item for each call',
    ],
    [
      'a model server',
      () => `openai:${http.url}/v1#mind`,
      'let the server answer with the `tool_calls` that it makes, or speak the Responses API, which has an item for each call',
    ],
    [
      'A2A',
      () => `a2a:${a2a.url}/words`,
      'reach the agent as a module, a command or over HTTP: A2A has no tool calls. What it did, a `state` check with a script can find out',
    ],
  ])('%s', async (_, agent, line) => {
    expect(await reasonOf(agent(), called)).toEqual(['unknown', unseen + line])
  })

  it('an agent of a suite', async () => {
    const suite = createEvalSuite({ agent: { execute: (text: string) => text } })
    const { results } = await suite.run([{ input: 'hi', assert: { type: 'tool_called', name: 'pay' } }])
    expect(results[0]?.error).toBe(
      `${unseen}wrap them where the agent begins: const tools = context.tools({ lookUp, createOrder }), or return agentReply(output, { toolCalls })`,
    )
  })

  it('a simulated user', async () => {
    const simulator = { use: 'scripts:tests.user' }
    const cases = [{ id: 'a', simulator, assert: { ...called, by: 'user' } }]
    const { lines, output } = await play(folder(), cases, ['-n', './agent.ts'])
    expect(lines[0]?.error, output).toContain(
      'the simulated user hides its tool calls, so whether it called pay is unknown. To make them visible, let a module play the user that returns { message, tool_calls } (simulator.use)',
    )
  })

  it.each([
    [{ type: 'tool_order', value: ['pay'] }, 'so their order is unknown'],
    [{ type: 'tool_result', name: 'pay', value: 1 }, 'so the result of pay is unknown'],
    [{ type: 'tool_not_called', name: 'pay' }, 'so whether it called pay is unknown'],
    [{ type: 'snapshot', of: 'tool_calls' }, 'so they have no snapshot'],
  ])('by %j', async (assertion, unknown) => {
    const [status, reason] = await reasonOf('./agent.ts', assertion)
    expect(status).toBe('unknown')
    expect(reason).toContain(unknown)
    expect(reason).toContain('To make them visible, wrap them where the agent begins')
  })

  it('by a judge that misses them', async () => {
    const judge = { type: 'judge', criteria: 'It paid', use: 'scripts:tests.judge' }
    expect(await reasonOf('./agent.ts', judge)).toEqual([
      'unknown',
      'I see no calls. It was shown no tool calls. To make them visible, wrap them where the agent begins: const tools = ctx.tools({ lookUp, createOrder })',
    ])
  })
})
