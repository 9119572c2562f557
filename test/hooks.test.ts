import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Line, play, project } from './support/viva.ts'

const prompt = '- {role: system, content: Be kind.}'
const scripted = (...rules: object[]) => JSON.stringify({ type: 'scripted', options: { rules } })

/** An app with one agent, `desk`, that has these hooks. */
function app(hooks: string, files: Record<string, string> = {}): string {
  return project({
    'app.yao': '{}',
    'assistants/desk/package.yao': JSON.stringify({ name: 'Desk', connector: 'mind' }),
    'assistants/desk/prompts.yml': prompt,
    'assistants/desk/src/index.ts': hooks,
    'connectors/mind.conn.yao': scripted({
      when: { user: '(?s)(.*)' },
      reply: 'heard: {{1}}',
      usage: { input_tokens: 7, output_tokens: 3 },
    }),
    ...files,
  })
}

/** An app whose agent has a tool that its model calls when it is asked to file something. */
function toolApp(hooks: string, files: Record<string, string> = {}): string {
  return app(hooks, {
    'assistants/desk/package.yao': JSON.stringify({
      name: 'Desk',
      connector: 'mind',
      mcp: { servers: ['files.in'] },
    }),
    'connectors/mind.conn.yao': scripted(
      { when: { result: '^Error' }, tool_calls: [{ name: 'files_in__put', arguments: { name: 'again' } }] },
      {
        when: { user: 'file (\\w+)' },
        tool_calls: [{ id: 'c1', name: 'files_in__put', arguments: { name: '{{1}}' } }],
      },
      { reply: 'Hello' },
    ),
    'mcps/files/in.mcp.yao': JSON.stringify({ transport: 'process', tools: { put: 'scripts.files.Put' } }),
    'mcps/mapping/files/in/schemes/put.in.yao': JSON.stringify({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    }),
    'scripts/files.ts': `function Put({ name }, ctx) {
      if (name === 'bad') throw new Error('the drawer is stuck')
      return { id: name, by: ctx.assistant_id, visits: ctx.metadata.visits ?? null, kept: ctx.memory.context.Get('kept') }
    }`,
    ...files,
  })
}

const ask = async (cwd: string, input: unknown, more: object = {}, flags: string[] = []) => {
  const played = await play(cwd, [{ id: 'one', input, ...more }], ['-n', 'desk', ...flags])
  return { ...played, line: (played.lines[0] ?? {}) as Line }
}

/** Plays a `Create` hook with each of these bodies, all in one run, and returns the results in their order. */
async function createEach(bodies: readonly string[]) {
  const branches = bodies.map((body, index) => `if (asked === '${index}') { ${body} }`)
  const cwd = app(`function Create(ctx, messages) {
    const asked = messages.at(-1).content
    ${branches.join('\n')}
  }`)
  const cases = bodies.map((_, index) => ({ id: `body-${index}`, input: String(index) }))
  return play(cwd, cases, ['-n', 'desk'])
}

describe('the Create hook', () => {
  it('Create is called with ctx, the conversation in OpenAI’s form, and the options', async () => {
    const cwd = app(`function Create(ctx, messages, options) {
      return { messages: [{ role: 'user', content: JSON.stringify({
        who: [ctx.authorized.user_id, ctx.User.ID, ctx.locale, ctx.assistant_id, ctx.metadata.a, ctx.referer],
        messages, options }) }] }
    }`)
    const history = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ]
    const { line } = await ask(cwd, history, { user: 'ada', options: { metadata: { a: 1 }, mode: 'task' } })
    const heard = JSON.parse(String(line.output).replace('heard: ', '')) as Line
    expect(heard).toEqual({
      who: ['ada', 'ada', 'en-us', 'desk', 1, 'test'],
      messages: history,
      options: { mode: 'task', metadata: { a: 1 } },
    })
  })

  it('Create may return nothing and change nothing', async () => {
    const nothing = ['return null', 'return undefined', 'return {}', 'return { messages: [] }', '']
    const { lines } = await createEach(nothing)
    expect(lines.map(({ output }) => output)).toEqual(nothing.map((_, index) => `heard: ${index}`))
  })

  it('Create may be async, exported, re-exported or an arrow function', async () => {
    const say = "({ messages: [{ role: 'user', content: 'other' }] })"
    const hooks = [
      `export async function Create() { await null; return ${say} }`,
      `const Create = () => ${say}`,
      `const made = () => ${say}\nexport { made as Create }`,
      "export * from './create'",
      "import { Create } from './create'\nexport { Create }",
    ]
    const files = hooks.flatMap((hook, index) => [
      [`assistants/desk${index}/package.yao`, '{"name": "Desk", "connector": "mind"}'],
      [`assistants/desk${index}/prompts.yml`, prompt],
      [`assistants/desk${index}/src/index.ts`, hook],
      [`assistants/desk${index}/src/create.ts`, `export const Create = () => ${say}`],
    ])
    const names = hooks.flatMap((_, index) => ['-n', `desk${index}`])
    const { lines } = await play(app('', Object.fromEntries(files)), [{ id: 'one', input: 'Hi' }], names)
    expect(lines.map(({ output }) => output)).toEqual(hooks.map(() => 'heard: other'))
  })

  it('Create may change the settings, connector, language and metadata of the turn', async () => {
    const hooks = `
      function Create(ctx, messages) {
        return { temperature: 0.1, max_tokens: 9, connector: 'other', locale: 'de', metadata: { b: 2 } }
      }
      function Next(ctx, { completion }) {
        return { data: { said: completion.content, locale: ctx.locale, metadata: ctx.metadata } }
      }`
    const cwd = app(hooks, {
      'assistants/desk/prompts.yml': '- {role: system, content: "$CTX.LOCALE $CTX.b"}',
      'connectors/other.conn.yao': JSON.stringify({ type: 'scripted', options: { module: 'other.ts' } }),
      'other.ts':
        'export default ({ messages, settings }) => ({ reply: { prompt: messages[0].content, settings } })',
    })
    const { line } = await ask(cwd, 'Hi', { metadata: { a: 1 } })
    expect(line.output).toMatchObject({ locale: 'de', metadata: { a: 1, b: 2 } })
    const { said } = line.output as { said: string }
    expect(JSON.parse(said)).toEqual({ prompt: 'de 2', settings: { temperature: 0.1, max_tokens: 9 } })
  })

  it('-c overrides the connector that Create chose', async () => {
    const cwd = app("function Create() { return { connector: 'other' } }", {
      'connectors/other.conn.yao': scripted({ reply: 'other' }),
      'connectors/mine.conn.yao': scripted({ reply: 'mine' }),
    })
    expect((await ask(cwd, 'Hi')).line.output).toBe('other')
    expect((await ask(cwd, 'Hi', {}, ['-c', 'mine'])).line.output).toBe('mine')
  })

  const mistakes: [string, string, RegExp][] = [
    ['throws', "throw new Error('no coffee')", /^agent error: Create of desk: no coffee$/],
    [
      'returns text',
      "return 'hello'",
      /Create of desk returned an invalid value: it must be an object, got a string/,
    ],
    ['returns a wrong type', 'return { temperature: "hot" }', /temperature must be a number, got a string/],
    ['returns invalid messages', 'return { messages: [1] }', /Create of desk: a message has a role/],
    [
      'names an unknown preset',
      "return { prompt_preset: 'rush' }",
      /Create of desk: desk has no prompt preset "rush"/,
    ],
    [
      'names an unknown connector',
      "return { connector: 'nope' }",
      /Create of desk: unknown connector "nope"/,
    ],
    [
      'names an unknown server',
      "return { mcp_servers: ['nope'] }",
      /Create of desk: unknown MCP server "nope"/,
    ],
    ['names no server', 'return { mcp_servers: [7] }', /Create of desk: mcp_servers\[0\] must be "id"/],
    [
      'names an unknown preset in its metadata',
      "return { metadata: { __prompt_preset: 'rush' } }",
      /Create of desk: desk has no prompt preset "rush"/,
    ],
    [
      'delegates with an unknown connector',
      "return { delegate: { agent_id: 'desk', messages, options: { connector: 'nope' } } }",
      /desk delegates to desk: unknown connector "nope"/,
    ],
    ['delegates to nobody', 'return { delegate: {} }', /delegate\.agent_id is missing/],
    ['delegates nothing', "return { delegate: { agent_id: 'desk' } }", /delegate\.messages is missing/],
    [
      'delegates to an unknown agent',
      "return { delegate: { agent_id: 'dsk', messages } }",
      /desk delegates to dsk: unknown agent "dsk"/,
    ],
    ['ends its process', 'process.exit(0)', /Create of desk: .*exit/],
  ]
  it('a Create that throws, or returns something invalid, is a failure of the agent', async () => {
    const { lines, exitCode } = await createEach(mistakes.map(([, body]) => body))
    expect(exitCode).toBe(1)
    expect(lines).toEqual(
      mistakes.map(([, , error]) =>
        expect.objectContaining({
          status: 'failed',
          fault: 'agent',
          error_kind: 'agent_error',
          error: expect.stringMatching(error),
        }),
      ),
    )
  })

  it('a Create that hangs fails with a timeout of the agent', async () => {
    const { line } = await ask(app('function Create() { while (true) {} }'), 'Hi', { timeout: '1s' })
    expect(line).toMatchObject({ status: 'failed', fault: 'agent', error_kind: 'timeout' })
    expect(line.error).toContain('in Create of desk')
  })

  it('a misspelt key in what Create returns is logged and changes nothing', async () => {
    const { line } = await ask(app('function Create() { return { temprature: 0 } }'), 'Hi')
    expect(line.logs).toEqual([
      'Create of desk returned "temprature", which Yao does not know (did you mean "temperature"?)',
    ])
  })

  it('a service of the Yao engine that is not stubbed is an infrastructure error with a hint', async () => {
    const missing = await ask(app("function Create(ctx) { ctx.search.Web('viva') }"), 'Hi')
    expect(missing.line).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'stub' })
    expect(missing.line.error).toContain(
      'unknown process "ctx.search.Web": it is a service of the Yao engine',
    )
    expect(missing.line.error).toContain('"stubs": { "ctx.search.Web": { "result": {} } }')
    expect(missing.exitCode).toBe(3)
  })

  it('a global of the Yao engine that viva does not have is an infrastructure error', async () => {
    const lacking = await ask(app('function Create() { new Query() }'), 'Hi')
    expect(lacking.line).toMatchObject({ fault: 'infrastructure', error_kind: 'stub' })
  })

  it('a missing process is logged even when the hook catches the error', async () => {
    const hidden = await ask(app("function Create() { try { Process('models.a.Find') } catch {} }"), 'Hi')
    expect(hidden.line.logs).toEqual(['Process models.a.Find: viva does not have it, and it is not stubbed'])
  })

  it('a misspelt script is an error of the agent', async () => {
    const misspelt = await ask(app("function Create(ctx) { Process('scripts.fils.Put') }"), 'Hi')
    expect(misspelt.line).toMatchObject({ fault: 'agent', error_kind: 'agent_error' })
  })

  it('the case or the config may stub services of the engine', async () => {
    const hooks =
      "function Create(ctx) { return { messages: [{ role: 'user', content: ctx.search.Web('viva').items[0] }] } }"
    const stub = { result: { items: ['found'] } }
    const byCase = await ask(app(hooks), 'Hi', { stubs: { 'ctx.search.Web': stub } })
    expect(byCase.line).toMatchObject({
      output: 'heard: found',
      logs: ['Process ctx.search.Web: answered by the case'],
    })
    const config = JSON.stringify({ processes: { 'ctx.search.Web': stub } })
    const byConfig = await ask(app(hooks, { 'viva.config.json': config }), 'Hi')
    expect(byConfig.line).toMatchObject({
      output: 'heard: found',
      logs: ['Process ctx.search.Web: answered by viva.config'],
    })
  })
})

describe('the Next hook', () => {
  it('Next is given the conversation, the completion and the results of tools', async () => {
    const hooks = `
      function Create(ctx) { ctx.memory.context.Set('kept', 'yes'); return { metadata: { visits: 1 } } }
      function Next(ctx, payload, options) { return { data: { payload, options } } }`
    const { line } = await ask(toolApp(hooks), 'Please file report')
    expect(line.output).toEqual({
      payload: {
        messages: [{ role: 'user', content: 'Please file report' }],
        completion: {
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'files_in__put', arguments: '{"name":"report"}' },
            },
          ],
          finish_reason: 'stop',
          usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
        },
        tools: [
          {
            toolcall_id: 'c1',
            server: 'files.in',
            tool: 'put',
            arguments: '{"name":"report"}',
            result: { id: 'report', by: 'desk', visits: 1, kept: 'yes' },
            error: '',
          },
        ],
        error: '',
      },
      options: { metadata: {} },
    })
    expect(line.tool_calls).toMatchObject([{ name: 'files_in__put', args: { name: 'report' } }])
  })

  it('Next is given the tokens, and null for tools where there were none', async () => {
    const { line } = await ask(app('function Next(ctx, payload) { return { data: payload } }'), 'Hi')
    expect(line.output).toEqual({
      messages: [{ role: 'user', content: 'Hi' }],
      completion: {
        role: 'assistant',
        content: 'heard: Hi',
        finish_reason: 'stop',
        usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      },
      tools: null,
      error: '',
    })
  })

  it('the model is not asked again after tools when there is a Next', async () => {
    const { line } = await ask(toolApp('function Next(ctx, { tools }) { return null }'), 'Please file report')
    expect(line).toMatchObject({ status: 'passed', usage: { agent: { calls: 1 }, tool: { calls: 1 } } })
  })

  it('Next may leave the reply unchanged or replace it with any value', async () => {
    const nothing = [
      'null',
      'undefined',
      '{}',
      '{ data: null }',
      "{ data: '' }",
      '{ data: {} }',
      '{ data: [] }',
    ]
    const something = [
      "{ data: 'Good day' }",
      '{ data: [1, 2] }',
      "{ data: [{ id: 1 }, 'a'] }",
      '{ data: 0 }',
      '{ data: false }',
    ]
    const returned = [...nothing, ...something]
    const cwd = app(`const returned = [${returned.join(', ')}]
      function Next(ctx, { messages }) { return returned[Number(messages.at(-1).content)] }`)
    const cases = returned.map((_, index) => ({ id: `r${index}`, input: String(index) }))
    const { lines } = await play(cwd, cases, ['-n', 'desk'])
    expect(lines.map(({ output }) => output)).toEqual([
      ...nothing.map((_, index) => `heard: ${index}`),
      'Good day',
      [1, 2],
      [{ id: 1 }, 'a'],
      0,
      false,
    ])
    expect(lines[9]?.response).toBe('[{"id":1},"a"]')
  })

  it('Next may declare that the agent awaits input', async () => {
    const hooks =
      "function Next() { return { data: { content: 'Done.', awaiting_input: true, input_hint: 'a day' } } }"
    const { line } = await ask(app(hooks), 'Hi')
    expect(line).toMatchObject({ awaiting_input: true, awaiting_reason: 'agent_declared', response: 'Done.' })
  })

  it('the data of Next is in the history of the next turn', async () => {
    const hooks = `function Next(ctx, { messages }) {
      return { data: messages.length === 1 ? 'first' : messages.map(({ content }) => content).join(' | ') }
    }`
    const { line } = await ask(app(hooks), undefined, { turns: [{ input: 'a' }, { input: 'b' }] })
    expect((line.turns as Line[])[1]?.output).toBe('a | first | b')
  })

  it('Next may delegate the turn, and the tool calls stay in the result', async () => {
    const hooks =
      "function Next(ctx, { messages }) { return { delegate: { agent_id: 'other', messages, options: { metadata: { b: 2 } } } } }"
    const cwd = toolApp(hooks, {
      'assistants/other/package.yao': '{"name": "Other"}',
      'assistants/other/src/index.ts': `function Next(ctx, { messages }) {
        return { data: { who: ctx.assistant_id, said: messages.at(-1).content, metadata: ctx.metadata, chat: ctx.chat_id.length } }
      }`,
    })
    const { line } = await ask(cwd, 'Please file report', { metadata: { a: 1 } })
    expect(line.output).toMatchObject({ who: 'other', said: 'Please file report', metadata: { a: 1, b: 2 } })
    expect(line.tool_calls).toMatchObject([{ name: 'files_in__put' }])
  })

  it('Next is not called when tool calls fail for good, and the agent has failed', async () => {
    const hooks = "function Next() { return { data: 'all is well' } }"
    const { line } = await ask(
      toolApp(hooks, { 'scripts/files.ts': "function Put() { throw new Error('the drawer is stuck') }" }),
      'Please file report',
    )
    expect(line).toMatchObject({ status: 'failed', fault: 'agent' })
    expect(line.error).toContain(
      'tool calls of desk failed, and were not corrected: files_in__put: the drawer is stuck',
    )
  })

  it('Next gets the tool calls as the model corrected them', async () => {
    const hooks = 'function Next(ctx, { tools }) { return { data: tools.map(({ result }) => result.id) } }'
    const { line } = await ask(toolApp(hooks), 'Please file bad')
    expect(line.output).toEqual(['again'])
    expect(line.tool_calls).toMatchObject([{ error: 'the drawer is stuck' }, { result: { id: 'again' } }])
  })

  it('Next answers for an agent without prompts and tools, and its connector is never asked', async () => {
    const cwd = project({
      'app.yao': '{}',
      'assistants/desk/package.yao': '{"name": "Desk", "connector": "nowhere"}',
      'assistants/desk/src/index.js':
        'function Next(ctx, { completion }) { return { data: { completion } } }',
    })
    const { line } = await ask(cwd, 'Hi')
    expect(line).toMatchObject({ status: 'passed', output: { completion: null } })
  })
})

describe('messages that hooks send', () => {
  it('what hooks send is the reply when there is no other', async () => {
    const cwd = project({
      'app.yao': '{}',
      'assistants/desk/package.yao': '{"name": "Desk"}',
      'assistants/desk/src/index.ts': `
        function Create(ctx) {
          ctx.Send({ type: 'loading', props: { message: 'wait' } })
          ctx.Send('One.')
        }
        function Next(ctx) {
          const id = ctx.SendStream({ type: 'text', props: { content: 'Tw' } })
          ctx.Append(id, 'o')
          ctx.End(id, '.')
          const third = ctx.SendStream('draft')
          ctx.Replace(third, 'Three.')
        }`,
    })
    const { line } = await ask(cwd, 'Hi', { assert: { type: 'equals', value: 'One.\n\nTwo.\n\nThree.' } })
    expect(line).toMatchObject({ status: 'passed' })
  })

  it('what hooks send is not the reply when the model answered', async () => {
    const { line } = await ask(app("function Create(ctx) { ctx.Send('Let me see…') }"), 'Hi')
    expect(line.output).toBe('heard: Hi')
  })
})

describe('work left behind by a hook', () => {
  it('what a hook does after its case has ended does not reach the next case', async () => {
    const hooks = `function Next(ctx, { messages }) {
      if (messages.at(-1).content !== 'late') return { data: '' }
      setTimeout(() => { ctx.Send('the secret of another case'); ctx.trace.Info('late') }, 100)
      return { data: 'first' }
    }`
    const cwd = app(hooks, { 'assistants/desk/prompts.yml': '[]' })
    const cases = [
      { id: 'late', input: 'late' },
      ...Array.from({ length: 40 }, (_, index) => ({ id: `next-${index}`, input: 'quiet' })),
    ]
    const { lines } = await play(cwd, cases, ['-n', 'desk'])
    expect(lines).toHaveLength(41)
    expect(JSON.stringify(lines)).not.toContain('secret of another case')
  })
})

describe('ctx.memory', () => {
  it('memory.context lasts for one turn, memory.chat and memory.user for one conversation', async () => {
    const hooks = `function Next(ctx) {
      return { data: [ctx.memory.context.Incr('n'), ctx.memory.chat.Incr('n'), ctx.memory.user.Incr('n')].join(' ') }
    }`
    const cases = ['one', 'two'].map((id) => ({ id, turns: [{ input: 'a' }, { input: 'b' }] }))
    const { lines } = await play(app(hooks), cases, ['-n', 'desk'])
    for (const { turns } of lines)
      expect((turns as Line[]).map(({ output }) => output)).toEqual(['1 1 1', '1 2 2'])
  })
})

describe('helper agents of an app', () => {
  it('helper agents and the agent under test share no memory', async () => {
    const count = "ctx.memory.chat.Incr('n') + ctx.memory.user.Incr('n')"
    const cwd = app(`function Next(ctx) { return { data: 'How many? ' + (${count}) } }`, {
      'assistants/guest/package.yao': '{"name": "Guest"}',
      'assistants/guest/src/index.ts': `function Next(ctx, { messages }) {
        const { turn_number } = JSON.parse(messages.at(-1).content)
        return { data: { message: 'm' + turn_number + '/' + (${count}), goal_achieved: turn_number > 3 } }
      }`,
      'assistants/critic/package.yao': '{"name": "Critic"}',
      'assistants/critic/src/index.ts': `function Next(ctx) {
        ctx.memory.chat.Set('n', 100)
        return { data: { passed: true, reason: 'ok', score: ${count} / 1000 } }
      }`,
    })
    const { line } = await ask(cwd, 'Hi', {
      simulator: { use: 'guest', goal: 'count' },
      checkpoints: [{ id: 'c', required: false, assert: { type: 'agent', use: 'critic' } }],
    })
    const turns = line.turns as Line[]
    expect(turns.map(({ input }) => input)).toEqual(['Hi', 'm2/2', 'm3/2', 'm4/2'])
    expect(turns.map(({ output }) => output)).toEqual([
      'How many? 2',
      'How many? 4',
      'How many? 6',
      'How many? 8',
    ])
  })

  it('a helper agent of a case that is not selected is not loaded', async () => {
    const cwd = app('', {
      'assistants/critic/package.yao': '{"name": "Critic"}',
      'assistants/critic/src/index.ts': "export function Next() {}\nthrow new Error('never')",
    })
    const cases = [
      { id: 'one', input: 'Hi' },
      { id: 'two', input: 'Hi', assert: { type: 'agent', use: 'critic' } },
    ]
    const { exitCode } = await play(cwd, cases, ['-n', 'desk', '--run', 'one'])
    expect(exitCode).toBe(0)
  })
})

describe('agent names given by hooks', () => {
  it.each([
    ['delegate', 'return { delegate: { agent_id: messages.at(-1).content, messages } }'],
    ['ask', 'return { data: ctx.agent.Call(messages.at(-1).content, "hi").content }'],
  ])('a hook may name agents of the app only, never commands: %s', async (_, body) => {
    const cwd = app(`function Next(ctx, { messages }) { ${body} }`, {
      'mod.mjs': 'export default () => "ran"',
    })
    const names = [
      `exec:touch ${cwd}/ran`,
      './mod.mjs',
      'http://127.0.0.1:1/x',
      'openai:http://127.0.0.1:1/v1#m',
    ]
    const { lines } = await play(
      cwd,
      names.map((input, index) => ({ id: `name-${index}`, input })),
      ['-n', 'desk'],
    )
    expect(lines).toHaveLength(names.length)
    for (const line of lines) {
      expect(line).toMatchObject({ status: 'failed', fault: 'agent' })
      expect(line.error).toContain('unknown agent')
    }
    expect(existsSync(`${cwd}/ran`)).toBe(false)
  })
})

describe('a hook that waits for a service', () => {
  it('a service that hangs is an infrastructure error, not a failure of the hook', async () => {
    const server = createServer(() => {})
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    const { port } = server.address() as AddressInfo
    const { line } = await ask(app(`function Create() { http.Get('http://127.0.0.1:${port}/') }`), 'Hi', {
      timeout: '1s',
    })
    expect(line).toMatchObject({ fault: 'infrastructure', error_kind: 'timeout' })
    expect(line.error).toContain(`http.Get 127.0.0.1:${port}`)
    server.closeAllConnections()
    server.close()
  })
})

describe('several tool calls in one round', () => {
  it('each tool call sees the memory that the calls before it wrote', async () => {
    const put = (name: string) => ({ name: 'files_in__put', arguments: { name } })
    const cwd = toolApp(
      'function Next(ctx, { tools }) { return { data: tools.map(({ result }) => result) } }',
      {
        'connectors/mind.conn.yao': scripted({ tool_calls: [put('a'), put('b'), put('c')] }),
        'scripts/files.ts': "function Put(args, ctx) { return ctx.memory.chat.Incr('n') }",
      },
    )
    expect((await ask(cwd, 'Hi')).line.output).toEqual([1, 2, 3])
  })
})

describe('stubs for tools called by hooks', () => {
  const hooks = `function Next(ctx) { return { data: ctx.mcp.CallTool('files.in', 'put', { name: 'x' }) } }`

  it('a stub answers a tool call of a hook', async () => {
    const { line } = await ask(toolApp(hooks), 'Hi', { stubs: { put: { result: { id: 'stub' } } } })
    expect(line.output).toEqual({ id: 'stub' })
  })

  it('--stub-all refuses a tool call of a hook that is not stubbed', async () => {
    const { line, exitCode } = await ask(toolApp(hooks), 'Hi', {}, ['--stub-all'])
    expect(line).toMatchObject({ fault: 'infrastructure', error_kind: 'stub' })
    expect(line.error).toContain('files_in__put was called and is not stubbed (--stub-all)')
    expect(exitCode).toBe(3)
  })

  it('a check on a tool that --stub-all refused is unknown, whatever it expects', async () => {
    const hooks = `function Next(ctx) { try { ctx.mcp.CallTool('files.in', 'put', { name: 'x' }) } catch {} }`
    const refused = 'files_in__put was called and is not stubbed (--stub-all)'
    for (const assert of [
      { type: 'tool_called', name: 'put' },
      { type: 'tool_not_called', name: 'put' },
      { type: 'tool_order', value: ['put'] },
      { type: 'tool_result', name: 'put', exists: true },
    ]) {
      const { line, stdout } = await ask(toolApp(hooks), 'Hi', { assert }, ['--stub-all'])
      expect(line).toMatchObject({ fault: 'infrastructure', error_kind: 'stub', error: refused })
      expect(line.assertions).toMatchObject([{ status: 'unknown', reason: refused }])
      expect(stdout).not.toMatch(/no tool was called|not called/)
    }
    const other = await ask(toolApp(hooks), 'Hi', { assert: { type: 'tool_called', name: 'pay' } }, [
      '--stub-all',
    ])
    expect(other.line.assertions).toMatchObject([
      { status: 'failed', reason: 'tool pay was not called (called: files_in__put)' },
    ])
  })

  it('stubs match processes by their whole name, and agents that are called', async () => {
    const calls = `function Next(ctx) { return { data: [Process('scripts.files.Put', { name: 'x' }, ctx).id, ctx.agent.Call('desk', 'x').content] } }`
    const stubs = { put: { result: { id: 'tool' } }, 'agents.desk.Stream': { result: 'stubbed' } }
    const { line } = await ask(toolApp(calls), 'Hi', { stubs })
    expect(line.output).toEqual(['x', 'stubbed'])
  })

  it('a stub for an unknown tool is refused even when an MCP server is broken', async () => {
    const cwd = toolApp(hooks, { 'mcps/broken.mcp.yao': '{"transport": "stdio", "command": "false"}' })
    const { exitCode, stderr } = await ask(cwd, 'Hi', { stubs: { putt: { result: 1 } } })
    expect(stderr).toContain('stub of "putt": desk has no such tool (did you mean "put"?)')
    expect(exitCode).toBe(2)
  })
})

describe('mistakes in packages and hooks', () => {
  const refused: [string, Record<string, string>, string][] = [
    [
      'a syntax error of a hook',
      { 'assistants/desk/src/index.ts': 'function Create( {' },
      'assistants/desk/src/index.ts:1:',
    ],
    [
      'an import that does not exist',
      { 'assistants/desk/src/index.ts': "import { a } from './nope'\nexport function Create() { return a }" },
      '✗ assistants/desk/src/index.ts:1:19: Cannot find module ',
    ],
    [
      'a throw at the top of a hook file',
      { 'assistants/desk/src/index.ts': "export function Create() {}\nthrow new Error('no')" },
      '✗ assistants/desk/src/index.ts:2:7: no',
    ],
    [
      'an agent in a sandbox',
      { 'assistants/desk/sandbox.yao': '{}' },
      'agent desk: it runs in a sandbox of the Yao engine, which viva does not have',
    ],
    [
      'an agent that would say nothing',
      { 'assistants/other/package.yao': '{"connector": "mind"}' },
      'agent other: it has no prompts, no tools and no hooks, so Yao would not use a model and would not answer',
    ],
  ]
  it.each(refused)('%s is refused before anything is played', async (_, files, message) => {
    const cwd = app('function Create() {}', files)
    const name = Object.keys(files).join().includes('other') ? 'other' : 'desk'
    const { exitCode, stderr, lines } = await play(cwd, [{ id: 'one', input: 'Hi' }], ['-n', name])
    expect(stderr).toContain(message)
    expect(lines).toEqual([])
    expect(exitCode).toBe(2)
  })
})
