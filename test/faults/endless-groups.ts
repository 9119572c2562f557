import { jsonl } from '../support/lines.ts'
import { faultText } from './fault.ts'
import type { FaultServer } from './server.ts'

/** Cases that never end and can be run by one command. */
export interface EndlessGroup {
  /** The arguments for the agent or the tests. */
  args: string[]
  files: Record<string, string>
  /** The expected `error_kind` and fault, by the id of the case. */
  expected: Record<string, string>
}

/** Writes its process id, so that the rig can check whether it is gone afterwards. */
const tellPid = "import { appendFileSync } from 'node:fs'\nappendFileSync('pids', process.pid + ' ')\n"
const echo = 'export default (input) => input\n'

export function endlessGroups({ url, agentUrl }: FaultServer): Record<string, EndlessGroup> {
  return {
    model: served(`openai:${url}#m`, [
      { stall: 'before' },
      { stall: 'headers' },
      { stall: 'body' },
      { drip: 100 },
      { endless: 'events', every: 20 },
      { endless: 'comments', every: 20 },
      { endless: 'json', every: 20 },
    ]),
    http: served(agentUrl, [{ stall: 'body' }, { drip: 100 }, { endless: 'spaces', every: 20 }]),
    module: { ...moduleAgents, args: ['-n', './agent.mjs'] },
    exec: execAgents,
    scripts: { ...caseScripts(url), args: ['-n', './agent.mjs'] },
    package: { ...packages, args: ['-n', 'desk'] },
    tests: { ...scriptTests, args: ['-i', 'loops_test.ts'] },
  }
}

function cases(ids: readonly string[], more: (id: string) => object): { 'cases.jsonl': string } {
  return { 'cases.jsonl': jsonl(...ids.map((id) => ({ id, input: id, ...more(id) }))) }
}

function served(agent: string, faults: Parameters<typeof faultText>[0][]): EndlessGroup {
  const ids = faults.map(faultText)
  return { args: ['-n', agent], files: cases(ids, () => ({})), expected: all(ids, 'timeout agent') }
}

function all(ids: readonly string[], expected: string): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, expected]))
}

/** The input selects how the module loops. */
const loops: Record<string, string> = {
  while: 'for (;;) {}',
  promise: 'await new Promise(() => {})',
  interval: 'await new Promise(() => setInterval(() => {}, 10))',
  microtasks: 'for (;;) await null',
  immediates: 'for (;;) await new Promise((resolve) => setImmediate(resolve))',
  wait: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  regex: "/^(a+)+$/.test('a'.repeat(40) + 'b')",
  getter: 'return { get content() { for (;;) {} } }',
  thenable: 'return { then() {} }',
  then_loop: 'return { then() { for (;;) {} } }',
  then_null: 'Promise.prototype.then = null; for (;;) {}',
  log: "for (;;) console.log('x'.repeat(1000))",
}

const moduleAgents = {
  files: {
    ...cases(Object.keys(loops), () => ({})),
    'agent.mjs': `const loops = {
      ${Object.entries(loops)
        .map(([name, body]) => `async ${name}() { ${body} },`)
        .join('\n')}
    }
    export default (input) => loops[input]()\n`,
  },
  expected: all(Object.keys(loops), 'timeout agent'),
}

const execBodies: Record<string, string> = {
  silent: 'setInterval(() => {}, 1000)',
  deaf: "for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); setInterval(() => {}, 1000)",
  loop: 'for (;;) {}',
  chatty: "setInterval(() => process.stdout.write('x'.repeat(1000)), 1)",
  errors: "setInterval(() => process.stderr.write('x'.repeat(1000)), 1)",
  children: `import { spawn } from 'node:child_process'
    appendFileSync('pids', spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid + ' ')
    setInterval(() => {}, 1000)`,
  detached: `import { spawn } from 'node:child_process'
    appendFileSync('pids', spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).pid + ' ')
    setInterval(() => {}, 1000)`,
}

const execAgents: EndlessGroup = {
  args: [...Object.keys(execBodies).flatMap((name) => ['-n', `exec:node ${name}.mjs`])],
  files: {
    ...cases(['x'], () => ({})),
    ...Object.fromEntries(Object.entries(execBodies).map(([name, body]) => [`${name}.mjs`, tellPid + body])),
  },
  expected: { x: 'timeout agent' },
}

/** Scripts, judges and simulators that never end. */
function caseScripts(url: string): Omit<EndlessGroup, 'args'> {
  const judge = { type: 'judge', criteria: 'is kind' }
  const fields: Record<string, [object, string]> = {
    before: [{ before: 'scripts:loops.Loop' }, 'timeout infrastructure'],
    check: [{ assert: { type: 'script', use: 'scripts:loops.Loop' } }, 'timeout infrastructure'],
    simulator: [{ simulator: { use: 'scripts:loops.Loop', goal: 'x' } }, 'simulator_error infrastructure'],
    judge: [{ assert: judge }, 'timeout infrastructure'],
  }
  const connector = {
    type: 'openai',
    options: { host: url, model: faultText({ stall: 'before' }), key: 'none' },
  }
  return {
    files: {
      ...cases(Object.keys(fields), (id) => fields[id]?.[0] ?? {}),
      'agent.mjs': echo,
      'loops.ts': 'export function Loop() { for (;;) {} }\n',
      'viva.config.json': JSON.stringify({ connectors: { late: connector }, helpers: { connector: 'late' } }),
    },
    expected: Object.fromEntries(Object.entries(fields).map(([id, [, expected]]) => [id, expected])),
  }
}

/** Hooks, tools and a model that never end. */
const packages = {
  files: {
    ...cases(['create', 'next', 'tool', 'mcp'], () => ({})),
    'app.yao': '{}',
    'assistants/desk/package.yao': JSON.stringify({ connector: 'mind', mcp: { servers: ['loops', 'hang'] } }),
    'assistants/desk/prompts.yml': '- {role: system, content: Help.}',
    'assistants/desk/src/index.ts': `
      const asked = (messages) => messages.findLast(({ role }) => role === 'user').content
      export function Create(ctx, messages) { if (asked(messages) === 'create') for (;;) {} }
      export function Next(ctx, { messages }) { if (asked(messages) === 'next') for (;;) {} }\n`,
    'connectors/mind.conn.yao': JSON.stringify({
      type: 'scripted',
      options: {
        rules: [
          { when: { user: '^tool' }, tool_calls: [{ name: 'loops__loop', arguments: {} }] },
          { when: { user: '^mcp' }, tool_calls: [{ name: 'hang__hang', arguments: {} }] },
          { reply: 'Hello' },
        ],
      },
    }),
    'mcps/loops.mcp.yao': JSON.stringify({
      transport: 'process',
      tools: { loop: 'scripts.loops.Loop' },
    }),
    'mcps/mapping/loops/schemes/loop.in.yao': '{"type": "object"}',
    'scripts/loops.ts': 'export function Loop() { for (;;) {} }\n',
    'mcps/hang.mcp.yao': JSON.stringify({ transport: 'stdio', command: 'node', arguments: ['hang.mjs'] }),
    'hang.mjs': `${tellPid}
      import { createInterface } from 'node:readline'
      const tools = [{ name: 'hang', inputSchema: { type: 'object' } }]
      for await (const line of createInterface({ input: process.stdin })) {
        const { id, method, params } = JSON.parse(line)
        const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
        if (method === 'initialize')
          say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } })
        if (method === 'tools/list') say({ tools })
      }\n`,
  },
  expected: {
    create: 'timeout agent',
    next: 'timeout agent',
    tool: 'timeout infrastructure',
    mcp: 'timeout infrastructure',
  },
}

const testBodies: Record<string, string> = {
  TestWhile: 'for (;;) {}',
  TestPromise: 'await new Promise(() => {})',
  TestThenNull: 'Promise.prototype.then = null; for (;;) await 0',
  TestThenLater: 'Promise.prototype.then = null; await new Promise((done) => setTimeout(done, 1e9))',
}

const scriptTests = {
  files: {
    'loops_test.ts': Object.entries(testBodies)
      .map(([name, body]) => `export async function ${name}(t) { ${body} }\n`)
      .join(''),
  },
  expected: {
    ...all(Object.keys(testBodies), 'timeout agent'),
    // Nothing keeps its process alive: it ends before the time limit.
    TestThenLater: 'script_error agent',
  },
}
