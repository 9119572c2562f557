import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostThreads } from '../src/scripts/runner/script-host.ts'
import { demo, type Line, play, project, results, viva } from './support/viva.ts'

const cafe = () => demo('cafe')
const outcomes = (lines: readonly Line[]) => lines.map(({ id, status }) => `${String(id)} ${String(status)}`)
const shipped = (name: string) => join('assistants/barista/tests', `${name}.jsonl`)

async function run(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await viva(['test', '-o', 'out.jsonl', ...args], { cwd })
  return { exitCode, output: stdout + stderr, lines: results(join(cwd, 'out.jsonl')) }
}

describe('the café, an app with every part of Yao that viva plays', () => {
  it('all cases of the café pass: hooks, delegates, presets, languages, tools of hooks, stubs', async () => {
    const { exitCode, lines, output } = await run(cafe(), '-i', shipped('inputs'))
    expect(outcomes(lines)).toEqual(
      'greeting menu rush german tools connector complaint manager stubbed'
        .split(' ')
        .map((id) => `${id} passed`),
    )
    expect(output).toContain('Connector: barista')
    expect(exitCode).toBe(0)
  })

  it('before and after of a case are called', async () => {
    const { lines } = await run(cafe(), '-i', shipped('inputs'), '--run', 'greeting')
    expect(lines[0]?.logs).toContainEqual('greeting passed at table 7')
  })

  it('conversations use a simulator and a critic that are agents of the app', async () => {
    const { exitCode, lines } = await run(cafe(), '-i', shipped('orders'))
    expect(outcomes(lines)).toEqual(['order passed', 'undecided failed', 'by-hand passed'])
    expect(lines[0]).toMatchObject({
      total_turns: 4,
      checkpoints: [
        {
          id: 'greeting',
          reached_at_turn: 1,
          reason: 'agent "It welcomes the guest": polite, and moves the order on',
        },
        { id: 'size', reached_at_turn: 2 },
        { id: 'confirm', reached_at_turn: 4 },
        { id: 'cake', passed: false, required: false },
      ],
    })
    expect(lines[1]).toMatchObject({
      error: 'max turns (3) exceeded',
      error_kind: 'max_turns',
      fault: 'agent',
    })
    expect(exitCode).toBe(1)
  })

  it('--ctx sets the user and the session id', async () => {
    const cwd = cafe()
    const args = ['-n', 'barista', '-i', 'What were you told?', '--ctx', 'tests/ctx.json', '--runs', '2']
    const { lines } = await run(cwd, ...args)
    expect(lines.map(({ session_id }) => session_id)).toEqual(['table-7', 'table-7-run2'])
    expect(lines[0]?.output).toContain('You are Barista, and ada is your guest. Say please and thank you.')
  })

  it('.env supplies what the environment does not set', async () => {
    const cwd = cafe()
    const ask = async (env: Record<string, string>) =>
      (await viva(['test', '-n', 'barista', '-i', 'Hello'], { cwd, env })).stdout
    expect(await ask({})).toContain('Welcome')
    expect(await ask({ CAFE_BARISTA: 'till' })).toContain('I only know prices.')
    expect(await ask({ CAFE_BARISTA: 'use::light' })).toContain('I only know prices.')
  })

  it('hooks may call agents with hooks eight deep, and more cases at once than threads can run', async () => {
    const deep = ['ground', ...Array.from({ length: 7 }, (_, index) => index + 2)]
    const relay = (id: string, depth: number) => ({
      id,
      input: String(depth),
      assert: { type: 'equals', value: deep.slice(0, depth).join(' < ') },
    })
    const many = Array.from({ length: hostThreads + 2 }, (_, index) => relay(`relay-${index}`, 3))
    const cases = [relay('deepest', 8), ...many]
    const { exitCode, lines } = await play(cafe(), cases, ['-n', 'relay', '--parallel', '32'])
    expect(lines.map(({ status }) => status)).toEqual(cases.map(() => 'passed'))
    expect(exitCode).toBe(0)
  }, 120_000)

  it('a ninth level of hooks is refused with the chain of calls', async () => {
    const cwd = cafe()
    const deep = await play(cwd, [{ id: 'deep', input: '9' }], ['-n', 'relay'])
    expect(deep.lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'too_deep' })
    expect(deep.lines[0]?.error).toMatch(/more than 8 levels deep: (Create of relay → ){8}Create of relay/)
    const endless = await play(cwd, [{ id: 'endless', input: 'for ever' }], ['-n', 'router'])
    expect(endless.lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'too_deep' })
    expect(endless.lines[0]?.error).toMatch(/delegate to each other more than 8 times: (router → ){9}router/)
  })

  it.each([
    ['till', 2],
    ['router', 2],
    ['relay', 1],
    ['guide', 15],
  ])('all cases of %s pass', async (agent, count) => {
    const { exitCode, lines } = await run(cafe(), '-i', `assistants/${agent}/tests`)
    expect(lines.filter(({ status }) => status === 'passed')).toHaveLength(count)
    expect(exitCode).toBe(0)
  })
})

it('cases of different packages are not run against the agent of one of them', async () => {
  const cwd = demo('cafe')
  const inputs = ['barista', 'router'].flatMap((agent) => ['-i', `assistants/${agent}/tests/inputs.jsonl`])
  const { exitCode, stderr } = await viva(['test', ...inputs], { cwd })
  expect(stderr).toContain(
    'the inputs belong to different agents: barista, router (name the one to test with -n',
  )
  expect(exitCode).toBe(2)
  expect((await viva(['test', ...inputs, '-n', 'barista', '--dry-run'], { cwd })).exitCode).toBe(0)
})

describe('viva agents', () => {
  const agents = (cwd: string, ...args: string[]) => viva(['agents', ...args], { cwd })

  it('viva agents lists the agents of the app', async () => {
    const { exitCode, stdout } = await agents(cafe())
    expect(stdout.split('\n')).toEqual([
      '✓ barista     Barista · barista · menu: list, price · agents.barista.orders: place · Create, Next',
      '✓ complaints  Complaints · no model · Next',
      '✓ critic      Critic · critic',
      '✓ customer    Customer · customer',
      '✓ guide       Guide · till · menu: stock · Create, Next',
      '✓ relay       Relay · no model · Create, Next',
      '✓ router      Router · no model · Create',
      '✓ till        Till · till · menu: list, price, stock',
      '8 agents',
      '',
    ])
    expect(exitCode).toBe(0)
  })

  it('viva agents --json prints the same as JSON', async () => {
    const { stdout } = await agents(cafe(), '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [
        {
          id: 'barista',
          connector: 'barista',
          hooks: ['Create', 'Next'],
          tools: [{ server: 'menu', names: ['list', 'price'] }, { server: 'agents.barista.orders' }],
          errors: [],
          warnings: [],
        },
        {},
        {},
        {},
        {},
        {},
        {},
        {},
      ],
      errors: [],
    })
  })

  const packagePath = 'assistants/till/package.yao'
  const till = { name: 'Till', connector: 'use::light', mcp: { servers: ['menu'] } }
  const broken: [string, Record<string, string>, string][] = [
    [
      'JSON that is invalid',
      { [packagePath]: '{\n  // a comment\n  "name": "Till",,\n}' },
      `✗ ${packagePath}:3:18: `,
    ],
    [
      'no connector',
      { [packagePath]: JSON.stringify({ ...till, connector: 'tll' }) },
      'unknown connector "tll": there are',
    ],
    [
      'a role that nobody has',
      { [packagePath]: JSON.stringify(till), 'agent/agent.yml': '{}' },
      'connector "use::light": no connector has the role light (write roles: { light: "<connector>" } in viva.config.*)',
    ],
    [
      'an unknown server',
      { [packagePath]: JSON.stringify({ ...till, mcp: { servers: ['orders'] } }) },
      'unknown MCP server "orders": there are agents.barista.orders, menu (did you mean "agents.barista.orders"?)',
    ],
    [
      'an unknown tool',
      { [packagePath]: JSON.stringify({ ...till, mcp: { servers: [{ menu: ['prise'] }] } }) },
      'MCP server menu has no tool "prise" (did you mean "price"?)',
    ],
    [
      'a tool without a schema',
      { 'mcps/menu.mcp.yao': '{"transport": "process", "tools": {"order": "scripts.menu.List"}}' },
      'MCP server menu: tool order has no schema: there is no mapping/menu/schemes/order.in.yao',
    ],
    [
      'a tool whose function does not exist',
      { 'mcps/menu.mcp.yao': '{"transport": "process", "tools": {"list": "scripts.menu.Lst"}}' },
      '✗ MCP server menu: tool list: menu.ts has no function Lst (did you mean "List"?)',
    ],
    [
      'an invalid schema',
      { 'mcps/mapping/menu/schemes/list.in.yao': '{"type": "objekt"}' },
      'MCP server menu: the schema of tool list: ',
    ],
    [
      'a package that is nested too deeply',
      { [packagePath]: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
      `✗ ${packagePath}: it is nested too deeply`,
    ],
    [
      'a hook that does not compile',
      { 'assistants/relay/src/index.ts': 'export function Create(ctx {\n}' },
      '✗ assistants/relay/src/index.ts:1:28: ',
    ],
    [
      'invalid prompts',
      { 'assistants/till/prompts.yml': 'be kind' },
      'prompts must be a list of {role, content}',
    ],
  ]
  it.each(broken)('viva agents --check finds %s', async (_, files, message) => {
    const cwd = cafe()
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    const { exitCode, stdout } = await agents(cwd, '--check')
    expect(stdout).toContain(message)
    expect(stdout).toMatch(/\d agents, \d errors?/)
    expect(exitCode).toBe(2)
  })

  it('viva agents --check warns of what the engine ignores, and of what only the engine does', async () => {
    const cwd = cafe()
    const pack = { ...till, option: {}, search: { web: {} }, mood: 'good' }
    writeFileSync(join(cwd, packagePath), JSON.stringify(pack))
    writeFileSync(
      join(cwd, 'assistants/relay/src/index.ts'),
      'export function create() {}\nexport function Next() {}',
    )
    const stock = { transport: 'process', tools: { stock: 'models.order.Find' } }
    writeFileSync(join(cwd, 'mcps/stock.mcp.yao'), JSON.stringify(stock))
    mkdirSync(join(cwd, 'mcps/mapping/stock/schemes'), { recursive: true })
    writeFileSync(join(cwd, 'mcps/mapping/stock/schemes/stock.in.yao'), '{"type": "object"}')
    const { exitCode, stdout } = await agents(cwd, '--check')
    expect(stdout).toContain(
      `⚠ ${packagePath}: unknown key "option": Yao ignores it (did you mean "options"?)`,
    )
    expect(stdout).toContain(`⚠ ${packagePath}: unknown key "mood": Yao ignores it`)
    expect(stdout).toContain('"search": Yao may search before it asks the model; viva does not')
    expect(stdout).toContain('"create" is not a hook: Yao never calls it (did you mean "Create"?)')
    expect(stdout).toContain(
      '⚠ MCP server stock: tool stock: models.order.Find is a service of the Yao engine',
    )
    expect(stdout).toContain('8 agents, 5 warnings')
    expect(exitCode).toBe(0)
  })

  it('viva agents --check says which agents cannot be played, and why', async () => {
    const cwd = cafe()
    writeFileSync(join(cwd, packagePath), JSON.stringify({ ...till, sandbox: { command: 'claude' } }))
    writeFileSync(join(cwd, 'assistants/relay/src/index.ts'), '')
    const { exitCode, stdout } = await agents(cwd, '--check')
    expect(stdout).toMatch(/– till .* cannot be played: it runs in a sandbox of the Yao engine/)
    expect(stdout).toMatch(/– relay .* cannot be played: it has no prompts, no tools and no hooks/)
    expect(stdout).toContain('it has neither Create nor Next: Yao never calls it')
    expect(exitCode).toBe(0)
  })

  it('links are followed into no folder twice, and two folders with one id are an error', async () => {
    const cwd = cafe()
    symlinkSync(join(cwd, 'assistants'), join(cwd, 'assistants/till/loop'))
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'assistants/dangling'))
    mkdirSync(join(cwd, 'assistants/a.b'))
    mkdirSync(join(cwd, 'assistants/a/b'), { recursive: true })
    for (const name of ['a.b', 'a/b'])
      writeFileSync(join(cwd, 'assistants', name, 'package.yao'), '{"name": "x"}')
    const { exitCode, stdout } = await agents(cwd, '--check')
    expect(stdout).toContain('two folders of assistants/ are both a.b: only one of them can be meant')
    expect(stdout).toContain('10 agents, 2 errors')
    expect(exitCode).toBe(2)
  })

  it('viva agents without any agent exits with 2', async () => {
    const { exitCode, stderr } = await agents(project())
    expect(stderr).toContain('there are no agents here')
    expect(exitCode).toBe(2)
  })

  it('secrets in the addresses of agents are redacted', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({ agents: { desk: { url: 'http://ada:opensesame@localhost/x' } } }),
    })
    const { stdout } = await agents(cwd)
    expect(stdout).toContain('desk')
    expect(stdout).not.toContain('opensesame')
  })
})
