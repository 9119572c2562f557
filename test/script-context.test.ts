import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, results, viva } from './support/viva.ts'

const connector = JSON.stringify({
  type: 'scripted',
  options: {
    rules: [
      { when: { user: 'fail' }, error: { status: 400, message: 'no' } },
      { when: { user: 'validate me' }, reply: '{"passed": true, "reason": "it is fine"}' },
      { when: { user: '"output":"bad"' }, reply: '{"passed": false, "reason": "it is bad"}' },
      {
        when: { user: '"output":"good"' },
        reply: '{"passed": true, "reason": "it is good", "score": 0.9}',
      },
      { when: { user: '"output":"odd"' }, reply: 'I cannot say' },
      { when: { user: 'slow' }, delay: '300ms', reply: 'slow one' },
      { when: { user: '(?s)(.*)' }, reply: 'echo: {{1}}' },
    ],
  },
})

/** An app with one agent that echoes its input, and these files. */
function app(files: Record<string, string>): string {
  return project({
    'app.yao': '{}',
    'connectors/echo.conn.yao': connector,
    'assistants/echo/package.yao': JSON.stringify({ name: 'echo', connector: 'echo' }),
    'assistants/echo/prompts.yml': '- {role: system, content: Help.}',
    ...files,
  })
}

/** Runs one test body in such an app. */
async function body(code: string, files: Record<string, string> = {}, ...args: string[]) {
  const cwd = app({
    'assistants/echo/src/own_test.ts': `async function TestOwn(t, ctx) {\n${code}\n}\n`,
    ...files,
  })
  const ended = await viva(['test', '-i', 'scripts.echo.own', '-o', 'x.jsonl', ...args], { cwd })
  const [result] = ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl'))
  return { ...ended, result }
}

async function passes(code: string, files: Record<string, string> = {}, ...args: string[]) {
  const { result, stderr } = await body(code, files, ...args)
  expect(result, stderr).toMatchObject({ status: 'passed' })
  return result
}

describe('ctx in script tests', () => {
  it('ctx has the user, team, locale and client in both spellings', async () => {
    await passes(
      `t.assert.Equal(JSON.parse(JSON.stringify([ctx.User, ctx.Team, ctx.Locale, ctx.Client, ctx.AssistantID])),
        [{ ID: 'ada' }, { ID: 'ops' }, 'de-de', { Type: 'test', IP: '127.0.0.1' }, 'echo'])
      t.assert.Equal([ctx.authorized.user_id, ctx.authorized.team_id, ctx.locale, ctx.client.type, ctx.assistant_id, ctx.referer],
        ['ada', 'ops', 'de-de', 'test', 'echo', 'test'])
      t.assert.Equal(ctx.ChatID, ctx.chat_id)
      t.assert.True(ctx.Metadata === ctx.metadata)`,
      {},
      '-u',
      'ada',
      '-t',
      'ops',
      '--locale',
      'de-de',
    )
  })

  it('ctx has everything that a --ctx file contains', async () => {
    const context = {
      authorized: {
        sub: 's',
        client_id: 'c',
        scope: 'r w',
        session_id: 'x',
        user_id: 'admin',
        team_id: 'team-1',
        tenant_id: 'acme',
        remember_me: false,
        constraints: {
          owner_only: false,
          creator_only: false,
          editor_only: false,
          team_only: true,
          extra: { region: 'us' },
        },
      },
      metadata: { request_id: 'req-1' },
      client: { type: 'web', user_agent: 'Mozilla', ip: '10.0.0.1' },
      locale: 'zh-cn',
      referer: 'https://example.com',
    }
    await passes(
      `t.assert.Equal(ctx.authorized, ${JSON.stringify(context.authorized)})
      t.assert.Equal(ctx.Client, { Type: 'web', IP: '10.0.0.1', UserAgent: 'Mozilla' })
      t.assert.Equal([ctx.User.ID, ctx.Metadata.request_id, ctx.Locale, ctx.referer], ['admin', 'req-1', 'zh-cn', 'https://example.com'])`,
      { 'ctx.json': JSON.stringify(context) },
      '-u',
      'somebody',
      '--ctx',
      'ctx.json',
    )
  })

  it('every test has a fresh ctx with its own variables and memory', async () => {
    const cwd = app({
      'assistants/echo/src/own_test.ts': `
        function TestOne(t, ctx) { ctx.User = null; ctx.variables.a = 1; ctx.Metadata.b = 2; ctx.memory.user.Set('k', 1); t.assert.Nil(ctx.User) }
        function TestTwo(t, ctx) {
          t.assert.Equal(ctx.User.ID, 'test-user')
          t.assert.Equal([ctx.variables, ctx.Metadata, ctx.memory.user.Keys()], [{}, {}, []])
        }`,
    })
    const { exitCode, stdout } = await viva(['test', '-i', 'scripts.echo.own'], { cwd })
    expect(stdout).toContain('2 passed')
    expect(exitCode).toBe(0)
  })

  it('ctx.memory has the documented operations', async () => {
    await passes(`
      const { chat } = ctx.memory
      chat.Set('topic', 'travel')
      t.assert.Equal([chat.Get('topic'), chat.Has('topic'), chat.Get('other'), chat.Len()], ['travel', true, null, 1])
      t.assert.Equal([chat.Incr('n'), chat.Incr('n', 4), chat.Decr('n')], [1, 5, 4])
      chat.Push('list', [1, 2]); chat.Push('list', 3)
      t.assert.Equal([chat.ArrayLen('list'), chat.ArrayGet('list', -1), chat.ArraySlice('list', 0, 1)], [3, 3, [1, 2]])
      t.assert.Equal([chat.Pop('list'), chat.Pull('list', 1), chat.PullAll('list')], [3, [1], [2]])
      chat.AddToSet('set', ['a', 'a', 'b'])
      t.assert.Equal([chat.Get('set'), chat.GetDel('topic'), chat.Has('topic')], [['a', 'b'], 'travel', false])
      t.assert.Equal(ctx.memory.team.Keys(), [])`)
  })

  it('messages, traces and prints are in the log of the test', async () => {
    const result = await passes(`
      const id = ctx.Send({ type: 'text', props: { content: 'Hello' } })
      ctx.Append(ctx.SendStream('a'), 'b')
      const node = ctx.trace.Add({ query: 1 }, { label: 'Looking' })
      node.Info('found'); node.Complete({ n: 1 }); ctx.trace.Warn('careful')
      console.log('printed'); t.log('logged', { a: 1 })
      t.assert.Equal(id, 'M1')`)
    expect(result?.logs).toEqual([
      "ctx.Send M1 { type: 'text', props: { content: 'Hello' } }",
      'ctx.SendStream M2 a',
      'ctx.Append M2 b',
      'ctx.trace N1 Looking { query: 1 }',
      'ctx.trace N1 info: found',
      'ctx.trace N1 complete { n: 1 }',
      'ctx.trace warn: careful',
      'printed',
      'logged { a: 1 }',
    ])
  })
})

describe('the agent that a script belongs to', () => {
  it('ctx.AssistantID is the package of the script, however deep its folder', async () => {
    const cwd = app({
      'assistants/echo/src/forms/x_test.ts':
        "function TestOwn(t, ctx) { t.assert.Equal(ctx.AssistantID, 'echo') }",
    })
    expect((await viva(['test', '-i', 'scripts.echo.forms.x'], { cwd })).stdout).toContain('1 passed')
  })

  it('changes of ctx reach the scripts that are called, in either spelling', async () => {
    await passes(
      `ctx.User = { ID: 'eve' }; ctx.Metadata = { m: 1 }; ctx.authorized.team_id = 'ops'
      t.assert.Equal(Process('scripts.who.Who', ctx), ['eve', 'eve', 'ops', 'ops', { m: 1 }])`,
      {
        'scripts/who.ts':
          'function Who(ctx) { return [ctx.User.ID, ctx.authorized.user_id, ctx.Team.ID, ctx.authorized.team_id, ctx.metadata] }',
      },
    )
  })
})

describe('agents, models and tools in scripts', () => {
  it('calls of agents and models return their reply, awaited or not', async () => {
    const result = await passes(`
      const reply = Process('agents.echo.Stream', ctx, [{ role: 'user', content: 'hi' }])
      t.assert.Equal(reply.content, 'echo: hi')
      t.assert.Equal((await Process('agent.Call', ctx, 'echo', 'ho')).content, 'echo: ho')
      t.assert.Equal(ctx.agent.Call('echo', 'he').content, 'echo: he')
      t.assert.Equal(ctx.llm.Stream('echo', 'model').content, 'echo: model')`)
    expect(result?.usage).toMatchObject({ agent: { calls: 4 } })
  })

  it('All, Any and Race call several agents or models', async () => {
    await passes(`
      const all = ctx.agent.All([{ agent: 'echo', messages: 'a' }, { agent: 'echo', messages: 'b' }])
      t.assert.Equal(all.map((each) => each.content), ['echo: a', 'echo: b'])
      const any = ctx.agent.Any([{ agent: 'echo', messages: 'fail' }, { agent: 'echo', messages: 'slow' }])
      t.assert.Equal(any.find((each) => !each.error).content, 'slow one')
      const race = ctx.agent.Race([{ agent: 'echo', messages: 'slow' }, { agent: 'echo', messages: 'fast' }])
      t.assert.Equal(race.map((each) => each.content), ['echo: fast'])
      const models = ctx.llm.All([{ connector: 'echo', messages: 'x' }, { connector: 'echo', messages: 'fail' }])
      t.assert.Equal(models[0].content, 'echo: x')
      t.assert.Contains(models[1].error, '400')`)
  })

  it('onChunk is called with what an agent says', async () => {
    await passes(`
      const said = []
      ctx.agent.Call('echo', 'hi', { onChunk: (message) => { said.push(message.props.content); return 0 } })
      ctx.agent.All([{ agent: 'echo', messages: 'a' }], { onChunk: (id, index, message) => said.push([id, index, message.props.content]) })
      t.assert.Equal(said, ['echo: hi', ['echo', 0, 'echo: a']])`)
  })

  it('an error of a model is an infrastructure error of the test', async () => {
    const { result, exitCode } = await body(`Process('agents.echo.Stream', ctx, 'fail')`)
    expect(result).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'http' })
    expect(exitCode).toBe(3)
  })

  it('an unknown agent is an error with the nearest known name', async () => {
    const { result, exitCode } = await body(`Process('agents.ecko.Stream', ctx, 'hi')`)
    expect(result?.error).toContain('unknown agent "ecko"; there are: echo (did you mean "echo"?)')
    expect(exitCode).toBe(1)
  })

  it('ctx.mcp calls tools of the app that are scripts', async () => {
    const files = {
      'mcps/sums.mcp.yao': '{ "transport": "process", "tools": { "add": "scripts.sums.Add" } }',
      'mcps/mapping/sums/schemes/add.in.yao':
        '{ "type": "object", "description": "Adds", "properties": { "a": { "type": "number" } }, "required": ["a"] }',
      'scripts/sums.ts':
        'function Add(args, ctx) { if (args.a < 0) throw new Error("too small"); return { sum: args.a + 1, user: ctx.User.ID } }',
    }
    await passes(
      `t.assert.Equal(ctx.mcp.CallTool('sums', 'add', { a: 1 }), { sum: 2, user: 'test-user' })
      t.assert.Equal(ctx.mcp.CallTools('sums', [{ name: 'add', arguments: { a: 2 } }]), [{ sum: 3, user: 'test-user' }])
      t.assert.Equal(ctx.mcp.ListTools('sums').tools[0].name, 'add')
      t.assert.Panic(() => ctx.mcp.CallTool('sums', 'add', { a: -1 }))
      t.assert.Panic(() => ctx.mcp.CallTool('sums', 'add', { a: 'x' }))
      const [first, second] = ctx.mcp.All([{ mcp: 'sums', tool: 'add', arguments: { a: 1 } }, { mcp: 'sums', tool: 'add', arguments: { a: -1 } }])
      t.assert.Equal([first.result.sum, second.error], [2, 'too small'])
      t.mock('mcp.sums.add', ({ a }) => ({ sum: a * 100 }))
      t.assert.Equal(ctx.mcp.CallTool('sums', 'add', { a: 1 }), { sum: 100 })`,
      files,
    )
  })

  it('ctx.mcp reads resources, prompts and samples, also of servers of an assistant', async () => {
    const mapping = 'assistants/echo/mcps/mapping/desk'
    const files = {
      'assistants/echo/mcps/desk.mcp.yao': JSON.stringify({
        transport: 'process',
        tools: { add: 'scripts.desk.Add' },
        resources: { order: 'scripts.desk.Order' },
        prompts: { greet: 'scripts.desk.Greet' },
      }),
      [`${mapping}/schemes/add.in.yao`]: '{ "type": "object" }',
      [`${mapping}/schemes/add.jsonl`]: '{ "name": "one", "input": { "a": 1 }, "output": 2 }\n',
      [`${mapping}/resources/order.res.yao`]: '{ "uri": "orders://{id}", "x-process-args": ["$uri.id"] }',
      [`${mapping}/prompts/greet.pmt.yao`]:
        '{ "arguments": [{ "name": "name", "required": true }], "messages": [{ "role": "user", "content": { "type": "text", "text": "Hi {{name}}" } }] }',
      'scripts/desk.ts':
        'function Order(id, ctx) { if (id === "0") throw new Error("no order 0"); return { id, user: ctx.User.ID } }\nfunction Add() {}',
    }
    await passes(
      `const desk = 'agents.echo.desk'
      const says = (work) => { try { work() } catch (error) { return error.message } }
      t.assert.Equal(ctx.mcp.ListResources(desk, '').resources, [{ uri: 'orders://{id}', name: 'order' }])
      const { contents } = ctx.mcp.ReadResource(desk, 'orders://7')
      t.assert.Equal(JSON.parse(contents[0].text), { id: '7', user: 'test-user' })
      t.assert.Equal(says(() => ctx.mcp.ReadResource(desk, 'orders://0')), 'no order 0')
      t.assert.Contains(says(() => ctx.mcp.ReadResource(desk, 'order://7')), 'has no resource "order://7" (it has: orders://{id})')
      t.assert.Equal(ctx.mcp.ListPrompts(desk).prompts[0].name, 'greet')
      t.assert.Equal(ctx.mcp.GetPrompt(desk, 'greet', { name: 'Ann' }).messages[0].content.text, 'Hi Ann')
      t.assert.Contains(says(() => ctx.mcp.GetPrompt(desk, 'greet')), 'needs "name"')
      t.assert.Equal(ctx.mcp.ListSamples(desk, 'tool', 'add').total, 1)
      t.assert.Equal(ctx.mcp.GetSample(desk, 'tool', 'add', 0).input, { a: 1 })
      t.assert.Contains(says(() => ctx.mcp.ListTools('desk')), 'did you mean "agents.echo.desk"')`,
      files,
    )
  })
})

describe('t.assert.Agent', () => {
  it('t.assert.Agent asks a validator', async () => {
    const result = await passes(`t.assert.Agent('good', 'echo', { metadata: { criteria: 'be good' } })`)
    expect(result?.usage).toMatchObject({ judge: { calls: 1 } })
  })

  it('t.assert.Agent fails with the reason of the validator', async () => {
    const { result, exitCode } = await body(
      `t.assert.Agent('bad', 'echo', { metadata: { criteria: 'be good' } })`,
    )
    expect(result).toMatchObject({ status: 'failed', fault: 'agent' })
    expect(result?.error).toContain('it is bad')
    expect(exitCode).toBe(1)
  })

  it('t.assert.Agent may be mocked', async () => {
    await passes(
      `t.mock('agents.echo.Stream', () => ({ passed: true, reason: 'mocked' })); t.assert.Agent('odd', 'echo')`,
    )
  })

  it('t.assert.Agent prints the reason besides its own message', async () => {
    const { stdout } = await body(`t.assert.Agent('bad', 'echo', {}, 'must be good')`)
    expect(stdout).toMatch(/assertion failed: must be good\n.*reason: .*it is bad/s)
  })

  it('t.assert.Agent without a verdict is an infrastructure error', async () => {
    const { result, exitCode } = await body(`t.assert.Agent('odd', 'echo')`)
    expect(result).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'bad_response' })
    expect(exitCode).toBe(3)
  })
})

describe('Process', () => {
  const scripts = {
    'scripts/math.ts':
      'export function Double(n: number) { return n * 2 }\nfunction Hidden(n) { return Process("scripts.math.Double", n) + 1 }\n',
    'assistants/echo/src/tools.ts': 'function Shout(text) { return text.toUpperCase() }\n',
    'viva.config.ts':
      'export default { processes: { "models.user.Find": { result: { id: 7 } }, "models.user.Bad": { error: "gone" } } }\n',
  }

  it('Process calls functions of the app, exported or not, and stubs of the config', async () => {
    await passes(
      `t.assert.Equal(Process('scripts.math.Double', 4), 8)
      t.assert.Equal(Process('scripts.math.Hidden', 4), 9)
      t.assert.Equal(Process('agents.echo.tools.Shout', 'hey'), 'HEY')
      t.assert.Equal(Process('models.user.Find', 1), { id: 7 })
      t.assert.Panic(() => Process('models.user.Bad'))`,
      scripts,
    )
  })

  it('Process may be mocked by a function or a value, also for scripts that are called', async () => {
    await passes(
      `t.mock('models.user.Find', (id) => ({ id, name: 'Ada' }))
      t.mock('scripts.math.Double', (n) => n === 1 ? Process('scripts.math.Double', 50) : n * 3)
      t.mock('a.b.C', 'plain')
      t.assert.Equal(Process('models.user.Find', 3), { id: 3, name: 'Ada' })
      t.assert.Equal(Process('scripts.math.Hidden', 2), 7)
      t.assert.Equal(Process('scripts.math.Double', 1), 100)
      t.assert.Equal(Process('a.b.C'), 'plain')`,
      scripts,
    )
  })

  it('a mock that is async is an error at once', async () => {
    const { result } = await body(`t.mock('a.b', async () => 1); Process('a.b')`)
    expect(result?.error).toContain('an async function cannot answer here')
  })

  it('mocks end with their test', async () => {
    const cwd = app({
      'assistants/echo/src/own_test.ts': `
        function TestOne(t) { t.mock('x.y', 1); t.assert.Equal(Process('x.y'), 1) }
        function TestTwo(t) { t.assert.Panic(() => Process('x.y')) }`,
    })
    expect((await viva(['test', '-i', 'scripts.echo.own'], { cwd })).stdout).toContain('2 passed')
  })

  it('an unknown process is reported with a near one and the lines that stub it', async () => {
    const { result } = await body(`Process('scripts.maths.Double', 1)`, scripts)
    expect(result?.error).toContain('unknown process "scripts.maths.Double" (did you mean "scripts.math')
    expect(result?.error).toContain('t.mock("scripts.maths.Double", (...args) => ({}))')
    expect(result?.error).toContain('processes: { "scripts.maths.Double": { result: {} } }')
  })

  it('Process accepts only data as arguments', async () => {
    const { result } = await body(`Process('scripts.math.Double', () => 1)`, scripts)
    expect(result?.error).toContain('args[0] is a function')
  })
})

describe('environment variables of scripts', () => {
  const test = `t.assert.Equal([process.env.MY_API_KEY, process.env.DB_PASSWORD, process.env.PLAIN], KEYS)`
  const env = { MY_API_KEY: 'sk-0123456789', DB_PASSWORD: 'hunter2hunter2', PLAIN: 'yes' }

  it('scripts see no variable that looks like a secret, unless the config lists it', async () => {
    const cwd = app({
      'assistants/echo/src/own_test.ts': `function TestOwn(t) { ${test.replace('KEYS', "[undefined, 'hunter2hunter2', 'yes']")} }`,
      'viva.config.ts': 'export default { secrets: ["DB_PASSWORD"] }',
    })
    const { exitCode, stdout } = await viva(['test', '-i', 'scripts.echo.own'], { cwd, env })
    expect(stdout).toContain('1 passed')
    expect(exitCode).toBe(0)
  })

  it('a module agent sees all variables', async () => {
    const cwd = project({
      'agent.ts': 'export default () => String(process.env.MY_API_KEY !== undefined)\n',
      'cases.jsonl': jsonl({ id: 'a', input: 'x', expected: 'true' }),
    })
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.ts'], { cwd, env })
    expect(exitCode).toBe(0)
  })
})
