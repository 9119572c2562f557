import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { jsonl, project, repository } from './viva.ts'

/** Appends the name of a part to calls.log whenever the part is called. */
const note = (cwd: string, part: string) =>
  `appendFileSync(${JSON.stringify(join(cwd, 'calls.log'))}, '${part}\\n')`

/** A model that counts the stock with two tools. */
const model = `if (/thanks/i.test(messages.at(-1).content)) return { reply: 'Goodbye.' }
  return { tool_calls: [{ name: 'counter__add', arguments: { by: 2 } }, { name: 'stock__count', arguments: { item: 'tea' } }] }`

const user = `const { turn_number } = JSON.parse(messages.at(-1).content)
  return { reply: JSON.stringify(turn_number === 1 ? { input: 'How many?', goal_achieved: false } : { input: 'Thanks', goal_achieved: true }) }`

const critic = `return { reply: JSON.stringify({ reason: 'it says so', passed: true, score: 1 }) }`

const writer = `const { count } = JSON.parse(messages.at(-1).content)
  const written = { input: 'How many?', assert: { type: 'tool_called', name: 'stock__count' } }
  return { reply: JSON.stringify({ cases: Array.from({ length: count }, (_, index) => ({ id: 'written-' + index, ...written })) }) }`

/** A conversation in which every layer has a part. */
function tea(): Record<string, unknown> {
  return {
    id: 'tea',
    before: 'scripts.around.Before',
    after: 'scripts.around.After',
    simulator: { use: 'user', options: { metadata: { persona: 'a guest', goal: 'to know the stock' } } },
    final_assertions: [
      { type: 'tool_called', name: 'counter__add' },
      { type: 'script', script: 'scripts.checks.Check' },
      { type: 'agent', use: 'agents:critic', value: 'It is polite' },
    ],
  }
}

/** An app with a hook, tools of a script and of an MCP server, a simulator, a judge, a generator and script checks. */
export function projectOfEveryLayer(): { cwd: string; takeCalls(): string[] } {
  const cwd = project()
  const helper = (name: string) => ({ name, connector: name })
  const module = (part: string, body: string) =>
    `import { appendFileSync } from 'node:fs'\nexport default ({ messages }: { messages: any[] }) => {\n  ${note(cwd, part)}\n  ${body}\n}\n`
  const connector = (name: string) =>
    JSON.stringify({ type: 'scripted', options: { module: `connectors/${name}.ts` } })
  const files: Record<string, string> = {
    'app.yao': '{}',
    'connectors/main.conn.yao': connector('main'),
    'connectors/other.conn.yao': connector('main'),
    'connectors/main.ts': module('model', model),
    'assistants/desk/package.yao': JSON.stringify({
      name: 'Desk',
      connector: 'main',
      mcp: { servers: ['counter', 'stock'] },
    }),
    'assistants/desk/src/index.ts': `import { appendFileSync } from 'node:fs'
export function Create(ctx: any) {
  ${note(cwd, 'hook')}
  return { metadata: { visits: ctx.memory.chat.Incr('visits') } }
}
`,
    'mcps/counter.mcp.yao': JSON.stringify({
      transport: 'stdio',
      command: process.execPath,
      arguments: [join(repository, 'test/fixtures/tools/counter.mjs')],
    }),
    'mcps/stock.mcp.yao': JSON.stringify({ transport: 'process', tools: { count: 'scripts.stock.Count' } }),
    'mcps/mapping/stock/schemes/count.in.yao': JSON.stringify({
      type: 'object',
      properties: { item: { type: 'string' } },
      'x-process-args': ['$args.item'],
    }),
    'scripts/stock.ts': `import { appendFileSync } from 'node:fs'\nexport function Count() {\n  ${note(cwd, 'tools')}\n  return 41\n}\n`,
    'scripts/around.ts': `import { appendFileSync } from 'node:fs'
export function Before() {
  ${note(cwd, 'script')}
  return { data: { shelf: 7 } }
}
export function After() {
  ${note(cwd, 'script')}
}
`,
    // The first attempt of the case "shaky" fails.
    'scripts/checks.ts': `import { appendFileSync, writeFileSync } from 'node:fs'
export function Check(output: unknown, _: unknown, __: unknown, ctx: any) {
  ${note(cwd, 'script')}
  return { pass: ctx.variables.shelf === 7, message: 'the shelf is ' + ctx.variables.shelf }
}
export function Shaky() {
  const path = ${JSON.stringify(join(cwd, 'shaky'))}
  let isFirst = true
  try {
    writeFileSync(path, '', { flag: 'wx' })
  } catch {
    isFirst = false
  }
  return { pass: !isFirst, message: isFirst ? 'not yet' : 'now' }
}
`,
  }
  for (const [name, body] of Object.entries({ user, critic, writer })) {
    files[`connectors/${name}.conn.yao`] = connector(name)
    files[`connectors/${name}.ts`] = module(
      { user: 'simulator', critic: 'judge', writer: 'generator' }[name] ?? name,
      body,
    )
    files[`assistants/${name}/package.yao`] = JSON.stringify(helper(name))
    files[`assistants/${name}/prompts.yml`] = `- role: system\n  content: You are the ${name}.\n`
  }
  const shaky = { id: 'shaky', input: 'How many?', retries: 2 }
  const check = { type: 'script', script: 'scripts.checks.Shaky' }
  const failing = { id: 'failing', input: 'Thanks', assert: { type: 'contains', value: 'never' } }
  files['cases.jsonl'] = jsonl(
    ...['one', 'two', 'three', 'four'].map((id) => ({ ...tea(), id })),
    { ...shaky, assert: check },
    failing,
  )
  files['tea.jsonl'] = jsonl(tea())
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  return { cwd, takeCalls: () => takeCalls(join(cwd, 'calls.log')) }
}

/** The parts that were called since the last time. */
function takeCalls(log: string): string[] {
  if (!existsSync(log)) return []
  const parts = new Set(readFileSync(log, 'utf8').trim().split('\n'))
  rmSync(log)
  return [...parts].toSorted()
}
