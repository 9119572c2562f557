import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FakeOpenAIResponsesServer,
  startFakeOpenAIResponsesServer,
} from '../src/models/fakes/fake-openai-responses-server.ts'
import { play, project } from './support/viva.ts'

const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'viva' } }
const run = { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1 + 1' }
const ask = { type: 'function_call', call_id: 'c1', name: 'lookUp', arguments: '{}' }
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] }

let server: FakeOpenAIResponsesServer
beforeAll(async () => {
  server = await startFakeOpenAIResponsesServer({
    answer: (request) => {
      const isAnswered = JSON.stringify(request.input).includes('function_call_output')
      const more = request.tools === undefined || isAnswered ? [run, said] : [ask]
      return { body: { status: 'completed', output: [...(isAnswered ? [] : [search]), ...more] } }
    },
  })
})
afterAll(() => server.close())

/** Agents of the config with a model whose provider runs tools. */
function folder(): string {
  const options = { model: 'mind', host: server.url, stream: false }
  const connectors = { mind: { type: 'openai-responses', options } }
  const agents = { plain: { connector: 'mind' }, tooled: { connector: 'mind', tools: './tools.ts' } }
  return project({
    'viva.config.json': JSON.stringify({ connectors, agents }),
    'tools.ts':
      "export const lookUp = { description: 'Looks', inputSchema: { type: 'object' }, execute: () => 'seen' }",
  })
}

const url = () => `openai-responses:${server.url}#mind`

describe('calls that the provider of a model has run', () => {
  it.each([
    ['an agent of the config', () => 'plain', ['web_search', 'code_interpreter']],
    ['one with tools of its own', () => 'tooled', ['web_search', 'lookUp', 'code_interpreter']],
    ['a model server', url, ['web_search', 'code_interpreter']],
  ])('are among the calls of %s, and are not sent back to it', async (_, agent, names) => {
    const unexpected = { type: 'tool_not_called', name: 'web_search' }
    const cases = [
      {
        id: 'searches',
        input: 'Hi',
        assert: { type: 'tool_called', name: 'web_search', arguments: { query: 'viva' } },
      },
      { id: 'must-not', input: 'Hi', assert: unexpected },
      { id: 'no-other', input: 'Hi', assert: { type: 'tool_not_called', name: 'file_search' } },
    ]
    const { exitCode, lines, output } = await play(folder(), cases, ['-n', agent()])
    expect(
      lines.map(({ status }) => status),
      output,
    ).toEqual(['passed', 'failed', 'passed'])
    const calls = lines[0]?.tool_calls as { name: string }[]
    expect(calls.map(({ name }) => name)).toEqual(names)
    expect(exitCode).toBe(1)
    expect(JSON.stringify(server.requests.map(({ body }) => body.input))).not.toContain('web_search')
  })

  it.each(['plain', 'tooled'])('are refused with --stub-all (%s)', async (agent) => {
    const cases = [{ id: 'a', input: 'Hi', assert: { type: 'tool_not_called', name: 'web_search' } }]
    const { exitCode, lines } = await play(folder(), cases, ['-n', agent, '--stub-all'])
    expect(lines[0]).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'stub' })
    expect(lines[0]?.error).toContain(
      'the provider of the model ran web_search itself, so that it could not be stubbed: turn the tool off',
    )
    expect(exitCode).toBe(3)
  })

  it('are refused with --stub-all where a script calls the model', async () => {
    const options = { model: 'mind', host: server.url, stream: false }
    const hook = "function Create(ctx, messages) { ctx.llm.Stream('mind', messages) }"
    const cwd = project({
      'app.yao': '{}',
      'connectors/mind.conn.yao': JSON.stringify({ type: 'openai-responses', options }),
      'assistants/desk/package.yao': '{ "name": "Desk" }',
      'assistants/desk/src/index.ts': hook,
    })
    const cases = [{ id: 'a', input: 'Hi', assert: { type: 'tool_not_called', name: 'web_search' } }]
    const { exitCode, output } = await play(cwd, cases, ['-n', 'desk', '--stub-all'])
    expect(output).toContain('the provider of the model ran web_search itself')
    expect(exitCode).toBe(3)
  })
})
