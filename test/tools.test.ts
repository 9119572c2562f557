import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeAnthropicServer } from '../src/models/fakes/fake-anthropic-server.ts'
import { type McpOverHttp, startHttpDesk } from './fixtures/tools/http.ts'
import { isAlive, pidsIn } from './support/processes.ts'
import { jsonl, type Line, project, repository, results, spawnViva, viva } from './support/viva.ts'

const fixtures = join(repository, 'test/fixtures/tools')

interface App {
  mcp?: unknown
  /** The servers in `mcps/*.mcp.yao`; by default `desk` is the official server, started as a command. */
  servers?: Record<string, unknown>
  rules: unknown[]
  cases?: unknown[]
}

function command(file: string, more: object = {}): object {
  return { transport: 'stdio', command: process.execPath, arguments: [join(fixtures, file)], ...more }
}

function app({ mcp = { servers: ['desk'] }, servers = {}, rules, cases }: App): string {
  const all = { desk: command('official.mjs'), ...servers }
  const files = Object.entries(all).map(([id, server]) => [
    `mcps/${id.replaceAll('.', '/')}.mcp.yao`,
    `// a server\n${JSON.stringify(server)}`,
  ])
  return project({
    'app.yao': '{}',
    'connectors/script.conn.yao': JSON.stringify({ type: 'scripted', options: { rules } }),
    'assistants/desk/package.yao': JSON.stringify({ name: 'Desk', connector: 'script', mcp }),
    'cases.jsonl': jsonl(
      ...(cases ?? [{ id: 'one', input: 'Hi', assert: { type: 'contains', value: 'Done' } }]),
    ),
    ...Object.fromEntries(files),
  })
}

interface Played {
  exitCode: number | null
  output: string
  lines: Line[]
}

async function play(cwd: string, flags: string[] = [], env: Record<string, string> = {}): Promise<Played> {
  const args = ['test', '-i', 'cases.jsonl', '-n', 'desk', '-o', 'x.jsonl', ...flags]
  const { exitCode, stdout, stderr } = await viva(args, { cwd, env })
  const written = join(cwd, 'x.jsonl')
  return { exitCode, output: stdout + stderr, lines: existsSync(written) ? results(written) : [] }
}

const calling = (name: string, args: unknown = {}) => ({ tool_calls: [{ name, arguments: args }] })

describe('tools of packages', () => {
  it('tool calls are made, and are in the result', async () => {
    const cwd = app({
      rules: [
        { when: { result: '"status":"(\\w+)"' }, reply: 'Your order is {{1}}.', usage: { input_tokens: 5 } },
        {
          when: { user: 'order (\\w+)' },
          reply: 'Let me look.',
          usage: { input_tokens: 3 },
          ...calling('desk__look_up', { id: '{{1}}' }),
        },
      ],
      cases: [
        {
          id: 'one',
          input: 'Where is order A7?',
          assert: [
            { type: 'contains', value: 'shipped' },
            { type: 'tool_called', name: 'look_up', arguments: { id: 'A7' } },
          ],
        },
      ],
    })
    const { exitCode, lines } = await play(cwd)
    expect(exitCode).toBe(0)
    expect(lines[0]).toMatchObject({
      status: 'passed',
      usage: { agent: { calls: 2, input_tokens: 8 }, tool: { calls: 1 } },
    })
    const written = readFileSync(join(cwd, 'x.jsonl'), 'utf8')
    for (const part of ['desk__look_up', '"status":"shipped"', 'Let me look.'])
      expect(written).toContain(part)
  })

  it('tools are found on servers of every protocol version and transport', async () => {
    const desk = await startHttpDesk()
    onTestFinished(() => desk.close())
    const cwd = app({
      mcp: {
        servers: ['desk', { 'team.old': ['shout'] }, { server_id: 'new' }, { web: { tools: ['add'] } }],
        options: { max_turn: 4 },
      },
      servers: {
        'team.old': command('old.mjs'),
        new: command('official.mjs', { arguments: [join(fixtures, 'official.mjs'), '--only-new'] }),
        web: { transport: 'http', url: desk.url, authorization_token: '$ENV.DESK_TOKEN' },
      },
      rules: [
        { when: { tool: 'web__add' }, reply: 'Done.' },
        { when: { tool: 'new__add' }, ...calling('web__add', { a: 3, b: 4 }) },
        { when: { tool: 'team_old__shout', result: 'HEY' }, ...calling('new__add', { a: 1, b: 2 }) },
        { when: { tool: 'desk__add', result: '"sum":2' }, ...calling('team_old__shout', { word: 'hey' }) },
        calling('desk__add', { a: 1, b: 1 }),
      ],
    })
    const { exitCode, output } = await play(cwd, [], { DESK_TOKEN: 'desk-token-1234' })
    expect(output).toMatch(/Passed: +1/)
    expect(exitCode).toBe(0)
    expect(new Set(desk.tokens)).toEqual(new Set(['Bearer desk-token-1234']))
  })

  it('an Anthropic model can call tools', async () => {
    const server = await startFakeAnthropicServer({
      answer: (_, index) =>
        [
          { status: 529 },
          { text: 'Let me see.', toolCalls: [{ name: 'desk__add', arguments: { a: 1, b: 2 } }] },
        ][index] ?? 'Done.',
    })
    onTestFinished(() => server.close())
    const cwd = app({ rules: [] })
    const options = { model: 'claude', key: '$ENV.ANTHROPIC_KEY', host: server.url.replace('/v1', '') }
    writeFileSync(
      join(cwd, 'connectors/script.conn.yao'),
      JSON.stringify({ type: 'anthropic', options: { ...options, temperature: 0 } }),
    )
    const { exitCode, lines } = await play(cwd, [], { ANTHROPIC_KEY: 'sk-ant-secret' })
    expect(exitCode).toBe(0)
    expect(lines[0]).toMatchObject({ usage: { agent: { calls: 3, retries: 1 }, tool: { calls: 1 } } })
    const [, first, second] = server.requests
    expect(first).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'sk-ant-secret' } })
    expect(first?.body).toMatchObject({
      temperature: 0,
      max_tokens: 4096,
      tools: [{ name: 'desk__add' }, {}, {}, {}, {}, {}, {}],
    })
    const [, ...exchange] = (second?.body.messages ?? []) as unknown[]
    expect(exchange).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'call_1', name: 'desk__add', input: { a: 1, b: 2 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '{"sum":3}' }] },
        ],
      },
    ])
  })

  it('a server with "shared" is started once for all cases and ended with the run', async () => {
    const cwd = app({
      servers: { desk: command('official.mjs', { shared: true, env: { NOTES: '$ENV.NOTES' } }) },
      rules: [{ when: { tool: 'wait' }, reply: 'Done.' }, calling('desk__wait', { ms: 5 })],
      cases: Array.from({ length: 12 }, (_, index) => ({ id: `c${index}`, input: 'Hi' })),
    })
    const { exitCode } = await play(cwd, ['--parallel', '6'], { NOTES: join(cwd, 'notes') })
    expect(exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'notes'), 'utf8')).toBe('started\n')
  })

  it('keys that were given to a server are redacted', async () => {
    const cwd = app({
      servers: { desk: command('official.mjs', { env: { DESK_KEY: '$ENV.DESK_KEY' } }) },
      rules: [{ when: { result: '(key .*)' }, reply: 'Done: {{1}}' }, calling('desk__whoami')],
    })
    const { exitCode, output } = await play(cwd, ['-v'], { DESK_KEY: 'very-secret-key' })
    expect(exitCode).toBe(0)
    expect(output + readFileSync(join(cwd, 'x.jsonl'), 'utf8')).not.toContain('very-secret-key')
  })
})

describe('mistakes of the model in tool calls', () => {
  it('wrong arguments and unknown tools are reported to the model, which may correct them', async () => {
    const cwd = app({
      rules: [
        { when: { result: '"sum":3' }, reply: 'Done.' },
        {
          when: { result: 'Error: wrong arguments for desk__add: a must be a number' },
          ...calling('desk__add', { a: 1, b: 2 }),
        },
        {
          when: { result: 'Error: there is no tool sum; there are: desk__add' },
          ...calling('desk__add', { a: 'one', b: 2 }),
        },
        calling('sum', { a: 1 }),
      ],
    })
    const { exitCode, lines } = await play(cwd)
    expect(exitCode).toBe(0)
    expect(lines[0]).toMatchObject({ usage: { agent: { calls: 4 }, tool: { calls: 1 } } })
  })

  it('an error of a tool is reported to the model', async () => {
    const cwd = app({
      rules: [{ when: { result: 'the drawer is stuck' }, reply: 'Done without.' }, calling('desk__fail')],
    })
    expect((await play(cwd)).exitCode).toBe(0)
  })

  it('an agent that never stops calling tools fails at mcp.options.max_turn', async () => {
    const cwd = app({
      mcp: { servers: ['desk'], options: { max_turn: 2 } },
      rules: [calling('desk__add', { a: 1, b: 2 })],
    })
    const { exitCode, lines } = await play(cwd)
    expect(exitCode).toBe(1)
    expect(lines[0]).toMatchObject({
      error_kind: 'agent_error',
      error: expect.stringContaining(
        'desk called tools in 2 rounds and still asked for desk__add (mcp.options.max_turn)',
      ),
      usage: { tool: { calls: 2 } },
    })
  })
})

describe('broken MCP servers', () => {
  const done = [{ when: { tool: '.' }, reply: 'Done.' }]

  it.each([
    ['ends at once', { arguments: ['-e', 'console.error("no config"); process.exit(3)'] }, 'no config'],
    [
      'never starts',
      { arguments: ['-e', 'setInterval(() => {}, 1000)'], timeout: '400ms' },
      'it was not ready within 400ms',
    ],
  ])('a server that %s is an infrastructure error for every case, at once', async (_, more, words) => {
    const cases = Array.from({ length: 5 }, (_, index) => ({ id: `c${index}`, input: 'Hi' }))
    const cwd = app({ servers: { desk: command('', more) }, rules: done, cases })
    const { exitCode, lines, output } = await play(cwd)
    expect(exitCode).toBe(3)
    expect(lines.map(({ error_kind }) => error_kind)).toEqual(Array(5).fill('connection'))
    expect(String(lines[0]?.error)).toContain('MCP server desk did not start')
    expect(String(lines[0]?.error)).toContain(words)
    expect(output).toContain('MCP server desk did not start')
  })

  it('a server that starts more slowly than the timeout of the case is an infrastructure error', async () => {
    const silent = { arguments: ['-e', 'setInterval(() => {}, 1000)'], timeout: '900ms' }
    const { exitCode, lines } = await play(app({ servers: { desk: command('', silent) }, rules: done }), [
      '--timeout',
      '300ms',
    ])
    expect(lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'connection' })
    expect(String(lines[0]?.error)).toContain('MCP server desk did not start: it was not ready within 900ms')
    expect(exitCode).toBe(3)
  })

  it('a server that dies in a call fails that case, and is started again for the next', async () => {
    const cwd = app({
      rules: [
        ...done,
        { when: { user: 'die' }, ...calling('desk__die') },
        calling('desk__add', { a: 1, b: 2 }),
      ],
      cases: [
        { id: 'dies', input: 'die' },
        { id: 'lives', input: 'Hi' },
      ],
    })
    const { exitCode, lines } = await play(cwd)
    expect(exitCode).toBe(3)
    expect(lines.map(({ id, status, error_kind }) => [id, status, error_kind])).toEqual([
      ['dies', 'failed', 'connection'],
      ['lives', 'passed', undefined],
    ])
    expect(String(lines[0]?.error)).toContain('out of paper')
  })

  it('a tool that hangs is an infrastructure error at the timeout of its server', async () => {
    const hanging = { rules: [calling('desk__hang')] }
    const limited = await play(
      app({ ...hanging, servers: { desk: command('official.mjs', { timeout: '2s' }) } }),
    )
    expect(limited.exitCode).toBe(3)
    expect(String(limited.lines[0]?.error)).toContain('tool hang of MCP server desk did not answer within 2s')
  })

  it('a tool that hangs is an infrastructure error at the timeout of the case', async () => {
    const hanging = { rules: [calling('desk__hang')] }
    const late = await play(app(hanging), ['--timeout', '2s'])
    expect(late.exitCode).toBe(3)
    expect(late.lines[0]).toMatchObject({
      error_kind: 'timeout',
      fault: 'infrastructure',
      error: 'timeout after 2s, waiting for tool desk__hang',
    })
  })

  it.each([
    ['never answers', 'setInterval(() => {}, 1000)', false],
    ['ends by itself', 'setTimeout(() => process.exit(3), 300)', false],
    ['has a child in another group', 'setInterval(() => {}, 1000)', true],
  ])('no process is left of a server that %s', async (_, then, detached) => {
    const server = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => {})
const options = { stdio: 'inherit', detached: ${detached} }
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options)
writeFileSync('pids', process.pid + ' ' + child.pid)
${then}`
    const cwd = app({
      servers: { desk: command('', { arguments: ['server.mjs'], timeout: '1s' }) },
      rules: done,
    })
    writeFileSync(join(cwd, 'server.mjs'), server)
    const args = ['test', '-i', 'cases.jsonl', '-n', 'desk', '-o', 'x.jsonl']
    expect((await spawnViva(args, { cwd })).exitCode).toBe(3)
    const [serverPid = 0, childPid = 0] = await pidsIn(cwd)
    expect([serverPid, childPid].map(isAlive)).toEqual([false, false])
  })

  it('a server that answers 401 is an infrastructure error', async () => {
    const desk: McpOverHttp = await startHttpDesk({ status: 401 })
    onTestFinished(() => desk.close())
    const { exitCode, lines } = await play(
      app({ servers: { desk: { transport: 'http', url: desk.url } }, rules: done }),
    )
    expect(exitCode).toBe(3)
    expect(lines[0]).toMatchObject({ error_kind: 'http' })
    expect(String(lines[0]?.error)).toContain('could not be reached: it answered 401')
  })

  it('a server at a URL that does not speak MCP is reported as such', async () => {
    const desk: McpOverHttp = await startHttpDesk({ json: { hello: 'world' } })
    onTestFinished(() => desk.close())
    const { exitCode, lines } = await play(
      app({ servers: { desk: { transport: 'http', url: desk.url } }, rules: done }),
    )
    expect(exitCode).toBe(3)
    expect(String(lines[0]?.error)).toContain('it does not speak MCP: its answer is not a message')
    expect(String(lines[0]?.error)).not.toContain('invalid_union')
  })
})

describe('mistakes in apps', () => {
  it.each([
    [
      'an unknown server',
      { mcp: { servers: ['dsek'] } },
      'unknown MCP server "dsek": there are desk (did you mean "desk"?)',
    ],
    [
      'a process server',
      { servers: { desk: { transport: 'process', tools: { a: 'scripts.a.B' } } } },
      'mcps/desk.mcp.yao: MCP server desk: tool a has no schema: there is no mapping/desk/schemes/a.in.yao',
    ],
    [
      'no transport',
      { servers: { desk: { command: 'x' } } },
      'mcps/desk.mcp.yao: MCP server desk: transport is undefined, must be one of stdio',
    ],
    ['no command', { servers: { desk: { transport: 'stdio' } } }, 'transport "stdio" needs a command'],
    [
      'no url',
      { servers: { desk: { transport: 'http', url: 'example' } } },
      'transport "http" needs an http(s) url',
    ],
    [
      'a bad limit',
      { servers: { desk: command('official.mjs', { timeout: '30' }) } },
      'timeout: bad duration "30": use Go',
    ],
    [
      'an unset variable',
      { servers: { desk: command('official.mjs', { env: { KEY: '$ENV.VIVA_UNSET_KEY' } }) } },
      'environment variable VIVA_UNSET_KEY is not set (used by mcps/desk.mcp.yao)',
    ],
    [
      'a command that does not exist',
      { servers: { desk: command('', { command: 'viva-no-such-command' }) } },
      'mcps/desk.mcp.yao: MCP server desk: command "viva-no-such-command" not found (neither on the PATH nor in',
    ],
    [
      'a whole line as the command',
      { servers: { desk: command('', { command: 'node server.mjs' }) } },
      'command "node server.mjs" not found (words after the command go into `arguments`)',
    ],
    ['a wrong shape', { mcp: { servers: [7] } }, 'mcp.servers[0]: must be "id"'],
  ])('%s is refused before anything runs', async (_, wrong, message) => {
    const { exitCode, output } = await play(app({ rules: [{ reply: 'Done.' }], ...wrong }))
    expect(output).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('a package that names an unknown tool of a server is an infrastructure error', async () => {
    const cwd = app({ mcp: { servers: [{ desk: ['ad'] }] }, rules: [{ reply: 'Done.' }] })
    const { exitCode, lines } = await play(cwd)
    expect(lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'config' })
    expect(String(lines[0]?.error)).toContain('desk has no tool "ad" in MCP server desk: there are add, ')
    expect(exitCode).toBe(3)
  })

  const unknownPreset = { __prompt_preset: 'polite' }
  it('an unknown prompt preset in a case is refused', async () => {
    const cases = [
      { id: 'one', input: 'Hi', metadata: unknownPreset },
      { id: 'two', input: 'Hi', options: { metadata: unknownPreset } },
      { id: 'three', turns: [{ input: 'Hi', options: { metadata: unknownPreset } }] },
    ]
    const { exitCode, output } = await play(app({ rules: [{ reply: 'Done.' }], cases }))
    for (const [index, { id }] of cases.entries())
      expect(output).toMatch(
        new RegExp(
          `cases\\.jsonl:${index + 1}.*: ${id}: .*desk has no prompt preset "polite": there are none`,
        ),
      )
    expect(exitCode).toBe(2)
  })

  it('an unknown prompt preset in --ctx is an infrastructure error', async () => {
    const cwd = app({ rules: [{ reply: 'Done.' }] })
    writeFileSync(join(cwd, 'context.json'), JSON.stringify({ metadata: unknownPreset }))
    const { exitCode, lines } = await play(cwd, ['--ctx', 'context.json'])
    expect(lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'config' })
    expect(exitCode).toBe(3)
  })
})
