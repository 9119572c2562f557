import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installViva, play as playIn, project, repository, viva } from './support/viva.ts'

const call = (name: string, args: object = {}) => [{ name, arguments: args }]

/** Calls the tool that the user names, and says what it returned. */
const rules = [
  { when: { result: '^Error: (?s:(.*))' }, reply: 'Sorry: {{1}}' },
  { when: { result: '"status":"(\\w+)"' }, reply: 'It is {{1}}.' },
  { when: { result: '(?s:(.+))' }, reply: 'Result {{1}}.' },
  { when: { user: 'order (\\w+)' }, tool_calls: call('look_up', { id: '{{1}}' }) },
  { when: { user: 'add' }, tool_calls: call('counter__add') },
  { when: { user: 'call (\\w+)' }, tool_calls: call('{{1}}') },
  { reply: 'Hm.' },
]

const tools = `
let n = 0
const schema = { type: 'object' }
export const look_up = {
  description: 'Finds an order',
  inputSchema: { type: 'object', properties: { id: { type: 'string', minLength: 2 } }, required: ['id'] },
  execute: async ({ id }, { toolCallId, messages, abortSignal }) => ({
    id, toolCallId, messages, aborted: abortSignal.aborted, status: 'shipped',
  }),
}
export default {
  count: { description: 'Counts', parameters: schema, execute: () => ++n },
  boom: { description: 'Throws', parameters: schema, execute() { throw new Error('out of stock') } },
  exits: { description: 'Exits', parameters: schema, execute() { process.exit(7) } },
  odd: { description: 'Returns no data', parameters: schema, execute: () => new Map() },
  nothing: { description: 'Returns nothing', parameters: schema, execute() {} },
}
`

const desk = { connector: 'script', tools: './tools.mjs' }

function folder(agent: object = {}, files: Record<string, string> = {}, more: object = {}): string {
  const connectors = { script: { type: 'scripted', options: { rules } } }
  const config = { connectors, agents: { desk: { ...desk, ...agent } }, ...more }
  return project({ 'viva.config.json': JSON.stringify(config), 'tools.mjs': tools, ...files })
}

const play = (cwd: string, cases: readonly unknown[], ...flags: string[]) =>
  playIn(cwd, cases, ['-n', 'desk', ...flags])

const says = (value: string) => ({ type: 'contains', value })

describe('tools that a module exports', () => {
  it('are called by viva, with what the AI SDK passes to them', async () => {
    const called = { type: 'tool_called', name: 'look_up', arguments: { id: 'A7' } }
    const { lines, exitCode } = await play(folder(), [
      { id: 'order', input: 'order A7', assert: [called, says('It is shipped.')] },
    ])
    expect(lines[0]?.tool_calls).toMatchObject([
      {
        name: 'look_up',
        args: { id: 'A7' },
        result: {
          toolCallId: 'call_1',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'order A7' }] }],
          aborted: false,
        },
      },
    ])
    expect(exitCode).toBe(0)
  })

  it('return their errors to the model', async () => {
    const { lines } = await play(folder(), [
      { id: 'throws', input: 'call boom', assert: says('Sorry: out of stock') },
      { id: 'wrong', input: 'order x', assert: says('wrong arguments for look_up') },
      { id: 'odd', input: 'call odd', assert: says('a tool must return JSON data') },
      { id: 'missing', input: 'call nobody', assert: says('there is no tool nobody') },
      { id: 'nothing', input: 'call nothing', assert: says('Result null.') },
    ])
    expect(lines.map(({ id, status }) => [id, status])).toEqual(
      ['throws', 'wrong', 'odd', 'missing', 'nothing'].map((id) => [id, 'passed']),
    )
  })

  it('that exit hurt no other case', async () => {
    const { lines } = await play(folder(), [
      { id: 'exits', input: 'call exits', assert: says('process.exit(7) was called') },
      { id: 'order', input: 'order A7', assert: says('shipped') },
    ])
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed'])
  })

  it('can be stubbed, delayed and failed, and are refused by --stub-all', async () => {
    const stubbed = (id: string, look_up: object, value: string) => ({
      id,
      input: 'order A7',
      stubs: { look_up },
      assert: says(value),
    })
    const cases = [
      stubbed('result', { result: { status: 'lost' }, delay: '1ms' }, 'It is lost.'),
      stubbed('error', { error: 'gone' }, 'Sorry: gone'),
    ]
    const { lines } = await play(folder(), cases, '--stub-all')
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect(lines[0]?.tool_calls).toMatchObject([{ name: 'look_up', stubbed: true }])
    const refused = await play(folder(), [{ id: 'a', input: 'order A7' }], '--stub-all')
    expect(refused.output).toContain('look_up was called and is not stubbed (--stub-all)')
    const unknown = await play(folder(), [{ id: 'a', input: 'a', stubs: { lookup: { result: 1 } } }])
    expect(unknown.output).toContain('lookup')
    expect(unknown.exitCode).toBe(2)
  })

  it.each(['1', '8'])(
    'share a memory with servers only within a case if isolated, at --parallel %s',
    async (n) => {
      const counter = join(repository, 'test/fixtures/tools/counter.mjs')
      const mcp = { counter: { command: process.execPath, args: [counter], reset: 'reset' } }
      const turn = (input: string, value: string) => ({ input, assert: says(value) })
      const cases = Array.from({ length: 12 }, (_, index) => ({
        id: `case-${index}`,
        turns: [turn('call count', 'Result 1.'), turn('add', '"value":1'), turn('call count', 'Result 2.')],
        final_assertions: [
          { type: 'state', call: { tool: 'count' }, value: 3 },
          { type: 'state', call: { tool: 'counter__get' }, path: 'value', value: 1 },
          { type: 'cost', max: 0 },
        ],
      }))
      const { lines, exitCode } = await play(folder({ mcp }, {}, { isolate: 'case' }), cases, '--parallel', n)
      expect(lines.map(({ status }) => status)).toEqual(cases.map(() => 'passed'))
      expect(exitCode).toBe(0)
    },
  )

  it('share what is in memory when a model calls several of them at once, also if isolated', async () => {
    const both = { when: { user: 'both' }, tool_calls: [...call('count'), ...call('count')] }
    const connectors = { script: { type: 'scripted', options: { rules: [...rules.slice(0, 3), both] } } }
    for (const isolate of [undefined, 'case']) {
      const { lines } = await play(folder({}, {}, { connectors, isolate }), [
        { id: 'a', input: 'both', final_assertions: [{ type: 'state', call: { tool: 'count' }, value: 3 }] },
      ])
      expect(lines[0]?.status).toBe('passed')
    }
  })

  it('are shared by the cases of a thread unless they are isolated', async () => {
    const cases = [1, 2].map((value) => ({
      id: `case-${value}`,
      input: 'call count',
      assert: says(`Result ${value}.`),
    }))
    expect((await play(folder(), cases, '--parallel', '1')).exitCode).toBe(0)
  })

  it('may be made with the AI SDK and zod, whose defaults and preliminary results they keep', async () => {
    const code = `
      import { jsonSchema, tool } from 'ai'
      import { z } from 'zod'
      const inputSchema = z.object({ id: z.string(), status: z.string().default('fresh') })
      export const tools = {
        look_up: tool({
          description: 'Finds an order',
          inputSchema,
          async *execute(input: z.infer<typeof inputSchema>) {
            yield { status: 'searching' }
            yield input
          },
        }),
        count: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 5 }),
      }
      export const limit = 3
    `
    const cwd = folder({ tools: ['./ai.ts'] }, { 'ai.ts': code })
    installViva(cwd, 'ai', 'zod')
    const { lines } = await play(cwd, [
      { id: 'zod', input: 'order A7', assert: says('It is fresh.') },
      { id: 'json', input: 'call count', assert: says('Result 5.') },
    ])
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed'])
  })
})

describe('mistakes in a module with tools', () => {
  const one = (fields: string) => ({ 'tools.mjs': `export const find = {${fields}}` })
  const mistakes: [string, Record<string, string>, string][] = [
    [
      'no tool among its exports',
      { 'tools.mjs': 'export const a = 1\nexport function find() {}' },
      'tools.mjs: it exports no tools, which are objects with description, inputSchema and execute; it exports a, find',
    ],
    ['no schema', one('execute() {}'), 'the export "find" has no `inputSchema`'],
    [
      'no function',
      one('description: "x", inputSchema: {}'),
      'the export "find" has no function `execute`: viva could not call it',
    ],
    [
      'a schema that is none',
      one('inputSchema: { type: "objekt" }, execute() {}'),
      'tools.mjs: the schema of tool find',
    ],
    [
      'a tool without a name',
      { 'tools.mjs': 'export default { inputSchema: {}, execute() {} }' },
      'the default export is a tool without a name',
    ],
    [
      'something else among its tools',
      { 'tools.mjs': 'export default { a: { inputSchema: {}, execute() {} }, b: 5 }' },
      'the b of the default export is a number, not a tool',
    ],
    [
      'a name that models do not take',
      { 'tools.mjs': 'export default { "a b": { inputSchema: {}, execute() {} } }' },
      'the name of a tool has up to 64 letters, digits, - and _',
    ],
    ['a mistake in its code', { 'tools.mjs': 'export const a =' }, 'tools.mjs:1'],
    ['an error at its top level', { 'tools.mjs': 'throw new Error("no key")' }, 'no key'],
  ]
  it.each(mistakes)(
    '%s is reported before anything runs, and by viva agents --check',
    async (_, files, message) => {
      const cwd = folder({}, files)
      const played = await play(cwd, [{ id: 'a', input: 'a' }])
      expect(played.output).toContain(message)
      expect(played.exitCode).toBe(2)
      const checked = await viva(['agents', '--check'], { cwd })
      expect(checked.stdout).toContain(message)
      expect(checked.exitCode).toBe(2)
    },
  )

  it('a module that is not there is reported with its agent', async () => {
    const { output, exitCode } = await play(folder({ tools: './tool.mjs' }), [{ id: 'a', input: 'a' }])
    expect(output).toContain('agent desk: there is no file tool.mjs with its tools')
    expect(exitCode).toBe(2)
  })

  it('two modules must not have tools of the same name', async () => {
    const cwd = folder({ tools: ['./tools.mjs', './more.mjs'] }, { 'more.mjs': tools })
    const { output, exitCode } = await play(cwd, [{ id: 'a', input: 'a' }])
    expect(output).toContain('agent desk: two of its tools may be named count')
    expect(exitCode).toBe(2)
  })
})
