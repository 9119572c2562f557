import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversations, record, replay, serve } from './support/replays.ts'
import { installViva, jsonl, type Line, project, repository } from './support/viva.ts'

/** What a recorded call is looked up by: one thing that the other side is given, before and after a change. */
interface Given {
  files: Record<string, string>
  args: string[]
  change: Record<string, string>
}

const packageFiles = (hooks: string, cases: object): Record<string, string> => ({
  'app.yao': '{}',
  'connectors/echo.conn.yao': JSON.stringify({
    type: 'scripted',
    options: { rules: [{ when: { user: '(.*)' }, reply: 'you said: $1' }] },
  }),
  'assistants/desk/package.yao': JSON.stringify({ name: 'Desk', connector: 'echo' }),
  'assistants/desk/prompts.yml': '- role: system\n  content: You are the desk.\n',
  'assistants/desk/src/index.ts': hooks,
  'cases.jsonl': jsonl(cases),
})
const deskArgs = ['-i', 'cases.jsonl', '-n', 'desk']

const suiteOf = (name: string) => `import { createEvalSuite } from 'vivavoce'
const agent = { execute: (_: string, { history }) => 'you are ' + JSON.stringify(history.map(({ input }) => input)) }
export default createEvalSuite({ agent })
export const cases = [{
  id: 'who',
  input: 'Who am I?',
  messages: [{ role: 'user', content: 'I am ${name}' }, { role: 'assistant', content: 'Hello' }],
}]
`

/** A hook that reads something of its context. */
const reading = (what: string) =>
  `export function Next(ctx: any) { return { data: { content: 'it is ' + ${what} } } }\n`
const asks = (more: object) => ({ id: 'a', input: 'Hi', ...more })

const suite: Given = {
  files: { 'who.suite.ts': suiteOf('alice') },
  args: ['-i', 'who.suite.ts'],
  change: { 'who.suite.ts': suiteOf('bob') },
}
const userOfHook: Given = {
  files: packageFiles(reading('ctx.authorized.user_id'), asks({ user: 'alice' })),
  args: deskArgs,
  change: { 'cases.jsonl': jsonl(asks({ user: 'bob' })) },
}
const metadataOfHook: Given = {
  files: packageFiles(reading('ctx.metadata.tier'), asks({ options: { metadata: { tier: 'gold' } } })),
  args: deskArgs,
  change: { 'cases.jsonl': jsonl(asks({ options: { metadata: { tier: 'tin' } } })) },
}
const userOfCheck: Given = {
  files: {
    ...packageFiles('', asks({ user: 'alice', assert: { type: 'script', script: 'scripts.who.Check' } })),
    'scripts/who.ts': `export const Check = (_, __, ___, ctx) => ({ pass: ctx.authorized.user_id === 'alice' })\n`,
  },
  args: deskArgs,
  change: {
    'cases.jsonl': jsonl(asks({ user: 'bob', assert: { type: 'script', script: 'scripts.who.Check' } })),
  },
}

async function serveEcho() {
  const server = await serve((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ content: 'fine' }))
  })
  return server.url
}
const httpAgent = async (headers: object, case_: object, changed: object, query = ''): Promise<Given> => ({
  files: {
    'viva.config.json': JSON.stringify({
      agents: { bot: { url: `${await serveEcho()}/${query}`, request: { text: '{{input}}' }, headers } },
    }),
    'cases.jsonl': jsonl(case_),
  },
  args: ['-i', 'cases.jsonl', '-n', 'bot'],
  change: { 'cases.jsonl': jsonl(changed) },
})
const posting = async (sent: string, changed: string): Promise<Given> => {
  const url = await serveEcho()
  const script = (what: string) =>
    `export function Before() { return { data: http.Post('${url}/', ${what}) } }\n`
  const files = packageFiles('', asks({ before: 'scripts.post.Before' }))
  return {
    files: { ...files, 'scripts/post.ts': script(sent) },
    args: [...deskArgs, '--live', 'script'],
    change: { 'scripts/post.ts': script(changed) },
  }
}

const givens: [string, () => Given | Promise<Given>][] = [
  ['the conversation before the first turn, given to an agent of a suite', () => suite],
  ['the user, given to a hook', () => userOfHook],
  ['the metadata, given to a hook', () => metadataOfHook],
  ['the user, given to a script check', () => userOfCheck],
  [
    'the user, in a header of an HTTP agent',
    () => httpAgent({ 'x-user': '{{userId}}' }, asks({ user: 'alice' }), asks({ user: 'bob' })),
  ],
  [
    'a token of the case, in a header of an HTTP agent',
    () =>
      httpAgent(
        { authorization: 'Bearer {{metadata.token}}' },
        asks({ options: { metadata: { token: 'one' } } }),
        asks({ options: { metadata: { token: 'two' } } }),
      ),
  ],
  [
    'the user, in the query of an HTTP agent',
    () => httpAgent({}, asks({ user: 'alice' }), asks({ user: 'bob' }), '?user={{userId}}'),
  ],
  ['the body of a request that a script sends', () => posting('{ item: "tea" }', '{ item: "cake" }')],
  [
    'the query of a request that a script sends',
    () => posting('null, null, { page: 1 }', 'null, null, { page: 2 }'),
  ],
  [
    'a header of a request that a script sends',
    () => posting('null, null, null, { "x-tier": "gold" }', 'null, null, null, { "x-tier": "tin" }'),
  ],
]

describe('a recorded call', () => {
  it.each(givens)('does not answer when this has changed: %s', async (_, prepare) => {
    const { files, args, change } = await prepare()
    const cwd = project(files)
    installViva(cwd)
    const isRule = (arg: string) => arg === '--live' || arg === 'script'
    const recorded = await record(
      cwd,
      args.filter((arg) => !isRule(arg)),
    )
    expect(recorded.exitCode, recorded.output).toBe(0)
    const same = await replay(cwd, args)
    expect(same.exitCode, same.output).toBe(0)
    for (const [name, text] of Object.entries(change)) writeFileSync(join(cwd, name), text)
    const changed = await replay(cwd, args)
    expect(changed.output).toContain('not in the recording')
    expect(changed.exitCode).toBe(3)
  })

  it('answers whatever the session and the environment are, and has no value of a secret header', async () => {
    const headers = {
      'x-session': '{{sessionId}}',
      'x-key': '{{env.VIVA_TEST_KEY}}',
      authorization: 'Bearer {{metadata.token}}',
    }
    const one = asks({ options: { metadata: { tone: 'calm' } } })
    const { files, args } = await httpAgent(headers, one, one)
    const cwd = project(files)
    const recorded = await record(cwd, args, { VIVA_TEST_KEY: 'first-key-3f9' })
    expect(recorded.exitCode, recorded.output).toBe(0)
    const { exitCode, output } = await replay(cwd, args, { VIVA_TEST_KEY: 'another-key-7c1' })
    expect(exitCode, output).toBe(0)
    expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).not.toContain('first-key-3f9')
  })
})

describe('code that is recorded', () => {
  const level = (value: number, check = '') => ({
    ...packageFiles(
      '',
      asks({ before: 'scripts.level.Before', assert: { type: 'script', script: 'scripts.check.Check' } }),
    ),
    'scripts/level.ts': `export function Before(ctx) { ctx.variables.level = ${value}; return {} }\n`,
    'scripts/check.ts': `export function Check(_, __, ___, ctx) { ${check} return { pass: ctx.variables.level === 1 } }\n`,
  })

  it('is run again with --live when a script before it has set something else', async () => {
    const cwd = project(level(1))
    expect((await record(cwd, deskArgs)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'scripts/level.ts'), level(2)['scripts/level.ts'])
    const { exitCode, lines } = await replay(cwd, [...deskArgs, '--live', 'model'])
    expect(lines).toMatchObject([{ status: 'failed' }])
    expect(exitCode).toBe(1)
  })

  it('is asked for another answer of a model only where that may go out', async () => {
    const files = level(
      1,
      `const { error } = ctx.llm.Stream('echo', [{ role: 'user', content: 'level ' + ctx.variables.level }]); if (error) throw new Error(error);`,
    )
    const cwd = project(files)
    const recorded = await record(cwd, deskArgs)
    expect(recorded.exitCode, recorded.output).toBe(0)
    writeFileSync(join(cwd, 'scripts/level.ts'), level(2)['scripts/level.ts'])
    const refused = await replay(cwd, [...deskArgs, '--live', 'model'])
    expect(refused.output).toContain(
      'the call of a script (scripted:echo) differs from the nearest recorded one',
    )
    expect(refused.exitCode).toBe(3)
    const live = await replay(cwd, [...deskArgs, '--live', 'model', '--live', 'script'])
    expect(live.exitCode, live.output).toBe(1)
  })

  it('has used as much in a replay as when it was live, though its calls went out together', async () => {
    const hooks = `export function Create(ctx) {
  ctx.llm.All(['a', 'b', 'c'].map((content) => ({ connector: 'echo', messages: [{ role: 'user', content }] })))
}
`
    const cwd = project({
      ...packageFiles(hooks, asks({})),
      'connectors/echo.conn.yao': JSON.stringify({
        type: 'scripted',
        options: { rules: [{ reply: 'fine', delay: '20ms', usage: { input_tokens: 10, output_tokens: 5 } }] },
      }),
    })
    const recorded = await record(cwd, deskArgs)
    expect(recorded.lines).toMatchObject([
      { usage: { agent: { calls: 4, input_tokens: 40, output_tokens: 20 } } },
    ])
    const replayed = await replay(cwd, deskArgs)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
  })

  it('answers the calls of its own code, and none that others make later', async () => {
    const hooks = `export function Create(ctx) { ctx.mcp.CallTool('counter', 'add', { by: 5 }) }\n`
    const files = packageFiles(hooks, {
      id: 'a',
      input: 'add',
      assert: { type: 'tool_result', name: 'add', value: { value: 10 } },
    })
    const cwd = project({
      ...files,
      'connectors/echo.conn.yao': JSON.stringify({
        type: 'scripted',
        options: {
          rules: [
            { when: { tool: '.' }, reply: 'done' },
            { tool_calls: [{ name: 'counter__add', arguments: { by: 5 } }] },
          ],
        },
      }),
      'assistants/desk/package.yao': JSON.stringify({
        name: 'Desk',
        connector: 'echo',
        mcp: { servers: ['counter'] },
      }),
      'mcps/counter.mcp.yao': JSON.stringify({
        transport: 'stdio',
        command: process.execPath,
        arguments: [join(repository, 'test/fixtures/tools/counter.mjs')],
      }),
    })
    const recorded = await record(cwd, deskArgs)
    expect(recorded.exitCode, recorded.output).toBe(0)
    const replayed = await replay(cwd, deskArgs)
    expect(replayed.exitCode, replayed.output).toBe(0)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
  })

  it('is not that of a module agent whose code was changed', async () => {
    const cwd = project({
      'agent.mjs': "export default (input) => 'you said ' + input\n",
      'cases.jsonl': jsonl(asks({ assert: { type: 'contains', value: 'you said' } })),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']
    await record(cwd, args)
    expect((await replay(cwd, args)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'agent.mjs'), "export default () => 'broken'\n")
    const { exitCode, output } = await replay(cwd, args)
    expect(output).toContain('differs from the nearest recorded one in the code that answers')
    expect(exitCode).toBe(3)
  })

  it('cannot pass with a call that has no answer, even if its code catches the error', async () => {
    const hooks = (word: string) => `export function Next(ctx) {
  try { ctx.llm.Stream('echo', [{ role: 'user', content: '${word}' }]) } catch {}
  return { data: { content: 'fine' } }
}
`
    const cwd = project(packageFiles(hooks('one'), asks({ assert: { type: 'contains', value: 'fine' } })))
    expect((await record(cwd, deskArgs)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'assistants/desk/src/index.ts'), hooks('two'))
    const { exitCode, lines } = await replay(cwd, [...deskArgs, '--live', 'tools'])
    expect(lines).toMatchObject([{ status: 'failed', fault: 'infrastructure', error_kind: 'not_recorded' }])
    expect(exitCode).toBe(3)
  })

  it('has asked an MCP server that remembers it: what is asked later is not answered without that', async () => {
    const hooks = `export function Create(ctx, messages) {
  const [, by] = messages.at(-1).content.split(' ')
  return { metadata: ctx.mcp.CallTool('counter', 'add', { by: Number(by) }) }
}
`
    const files = packageFiles(hooks, { id: 'a', turns: [{ input: 'add 5' }, { input: 'add 1' }] })
    const cwd = project({
      ...files,
      'assistants/desk/package.yao': JSON.stringify({
        name: 'Desk',
        connector: 'echo',
        mcp: { servers: ['counter'] },
      }),
      'mcps/counter.mcp.yao': JSON.stringify({
        transport: 'stdio',
        command: process.execPath,
        arguments: [join(repository, 'test/fixtures/tools/counter.mjs')],
      }),
    })
    const recorded = await record(cwd, deskArgs)
    expect(recorded.exitCode, recorded.output).toBe(0)
    const before = readFileSync(join(cwd, 'calls.jsonl'), 'utf8')
    const changed = jsonl({ id: 'a', turns: [{ input: 'add 5' }, { input: 'add 3' }] })
    writeFileSync(join(cwd, 'cases.jsonl'), changed)
    const { exitCode, output } = await replay(cwd, [...deskArgs, '--replay-missing', 'live'])
    expect(output).toContain('MCP server counter does not know the calls before it: record the case again')
    expect(exitCode).toBe(3)
    expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).not.toContain('"value":3')
    expect(before).toContain('MCP server counter')
  })
})

describe('a recording', () => {
  it('that has grown has the times that its prompts showed', async () => {
    const cwd = project(packageFiles('', { id: 'a', turns: [{ input: 'one' }] }))
    writeFileSync(
      join(cwd, 'assistants/desk/prompts.yml'),
      '- role: system\n  content: It is $SYS.UNIX in $SYS.TIMEZONE.\n',
    )
    expect((await record(cwd, deskArgs)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ id: 'a', turns: [{ input: 'one' }, { input: 'two' }] }))
    expect((await replay(cwd, [...deskArgs, '--replay-missing', 'live'])).exitCode).toBe(0)
    const { exitCode, output } = await replay(cwd, deskArgs)
    expect(exitCode, output).toBe(0)
    const plays: Line[] = readFileSync(join(cwd, 'calls.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'play')
    expect(plays.map(({ times }) => (times as string[]).length)).toEqual([1, 1])
  })

  it.each([
    ['ends its process', 'process.exit(3)', 'agent_error'],
    ['hangs', 'while (true);', 'timeout'],
  ])('has the play of a suite whose agent %s, with the turns before that', async (_, breaking, reason) => {
    const suite = `import { appendFileSync } from 'node:fs'
import { afterTurns, createEvalSuite } from 'vivavoce'
const agent = {
  execute(message: string) {
    appendFileSync('calls.log', message + '\\n')
    if (message === 'break') ${breaking}
    return 'you said: ' + message
  },
}
export default createEvalSuite({ agent })
export const cases = [
  { id: 'one', input: 'a' },
  { id: 'two', input: 'b', multiTurn: { followUpInputs: [{ input: 'break' }], terminateWhen: [afterTurns(3)] } },
]
`
    const cwd = project({ 'calm.suite.ts': suite, 'calls.log': '' })
    installViva(cwd)
    const args = ['-i', 'calm.suite.ts', '--timeout', '2s']
    const recorded = await record(cwd, args)
    expect(recorded.exitCode, recorded.output).toBe(1)
    expect(recorded.lines).toMatchObject([
      { status: 'passed' },
      { id: 'two', error_kind: reason, total_turns: 1 },
    ])
    writeFileSync(join(cwd, 'calls.log'), '')
    const replayed = await replay(cwd, args)
    expect(replayed.exitCode, replayed.output).toBe(1)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
    expect(readFileSync(join(cwd, 'calls.log'), 'utf8')).toBe('')
  })

  it('does not fail a case whose judge answers with what is no JSON', async () => {
    const suite = `import { createEvalSuite } from 'vivavoce'
const agent = { execute: () => 'fine' }
const judge = { evaluate: async () => ({ passed: true, overallScore: 90, verdicts: [], raw: { big: 1n } }) }
export default createEvalSuite({ agent, judge })
export const cases = [{ id: 'one', input: 'a' }]
`
    const cwd = project({ 'judged.suite.ts': suite })
    installViva(cwd)
    const recorded = await record(cwd, ['-i', 'judged.suite.ts'])
    expect(recorded.exitCode, recorded.output).toBe(0)
    const { exitCode, output } = await replay(cwd, ['-i', 'judged.suite.ts'])
    expect(output).toContain('the answer of judge could not be recorded')
    expect(exitCode).not.toBe(0)
  })
})
