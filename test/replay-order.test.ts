import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBody, record, replay, serve } from './support/replays.ts'
import { jsonl, project, repository } from './support/viva.ts'

interface Call {
  name: string
  arguments?: object
}

/** A model that makes these calls, one after the other, and then says what the last one returned. */
const model = (...calls: Call[]) =>
  `const calls = ${JSON.stringify(calls)}
export default ({ messages }) => {
  const results = messages.filter(({ role }) => role === 'tool')
  const call = calls[results.length]
  return call ? { tool_calls: [{ arguments: {}, ...call }] } : { reply: 'Done: ' + JSON.stringify(results.at(-1)?.content ?? '') }
}
`

const add = { name: 'counter__add', arguments: { by: 2 } }
const get = { name: 'counter__get' }
const stateOfTool = { type: 'state', call: { tool: 'counter__get' }, path: '$.value', value: 2 }
const stateOfScript = { type: 'state', call: { script: 'scripts.shelf.count' }, value: 2 }

const counter = { command: process.execPath, args: [join(repository, 'test/fixtures/tools/counter.mjs')] }

function folder(assert: object | object[], ...calls: Call[]) {
  const mind = { type: 'scripted', options: { module: './mind.mjs' } }
  const desk = { connector: 'mind', mcp: { counter } }
  return project({
    'viva.config.json': JSON.stringify({ connectors: { mind }, agents: { desk } }),
    'mind.mjs': model(...calls),
    'scripts/shelf.mjs': 'export const count = () => 2\n',
    'app.yao': '{}',
    'cases.jsonl': jsonl({ id: 'a', input: 'Add two', assert }),
  })
}

const args = ['-i', 'cases.jsonl', '-n', 'desk']
const liveModel = [...args, '--live', 'model']

describe('a replay with a live model that calls other tools than then', () => {
  it.each([
    ['a tool', stateOfTool],
    ['a script', stateOfScript],
  ])('does not take the recorded state for its own: %s', async (_, state) => {
    const cwd = folder(state, add, add)
    writeFileSync(join(cwd, 'mind.mjs'), model(add))
    const recorded = await record(cwd, args)
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect((await replay(cwd, liveModel)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'mind.mjs'), model(get))
    const { exitCode, lines } = await replay(cwd, liveModel)
    expect(lines.map(({ status, fault, error_kind }) => [status, fault, error_kind])).toEqual([
      ['failed', 'infrastructure', 'not_recorded'],
    ])
    expect(exitCode).toBe(3)
  })

  it.each([
    ['skips one', [get]],
    ['makes them in another order', [add, get, get]],
  ])('is not answered as if it had made the same: %s', async (_, calls) => {
    const cwd = folder({ type: 'contains', value: 'Done' }, get, add, get)
    expect((await record(cwd, args)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'mind.mjs'), model(...calls))
    const { exitCode, output } = await replay(cwd, liveModel)
    const reasons = output.includes('was recorded after the call of a tool')
    // The first of the recorded calls may be made alone.
    expect([exitCode, reasons]).toEqual(calls.length === 1 ? [0, false] : [3, true])
  })

  it('needs no state check of the recording, and none of then', async () => {
    const cwd = folder([stateOfTool, { type: 'contains', value: '2' }], add)
    expect((await record(cwd, args)).exitCode).toBe(0)
    writeFileSync(
      join(cwd, 'cases.jsonl'),
      jsonl({ id: 'a', input: 'Add two', assert: { type: 'contains', value: '2' } }),
    )
    expect((await replay(cwd, liveModel)).exitCode).toBe(0)
  })
})

describe('a replay of an agent that remembers the conversation', () => {
  it.each([
    ['dropped', ['two', 'three']],
    ['in another order', ['two', 'one', 'three']],
    ['left out in the middle', ['one', 'three']],
  ])('does not answer when turns are %s', async (_, texts) => {
    const said: unknown[] = []
    const { url, close } = await serve(async (request, response) => {
      said.push((await readBody(request)).text)
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ text: `so far ${said.join(', ')}` }))
    })
    const bot = {
      url: `${url}/chat`,
      request: { text: '{{input}}', sid: '{{sessionId}}' },
      response: { content: '$.text' },
    }
    const turns = (...inputs: string[]) => jsonl({ id: 'a', turns: inputs.map((input) => ({ input })) })
    const cwd = project({
      'viva.config.json': JSON.stringify({ agents: { bot } }),
      'cases.jsonl': turns('one', 'two', 'three'),
    })
    const ofBot = ['-i', 'cases.jsonl', '-n', 'bot']
    expect((await record(cwd, ofBot)).exitCode).toBe(0)
    await close()
    expect((await replay(cwd, ofBot)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'cases.jsonl'), turns(...texts))
    const { exitCode, output } = await replay(cwd, ofBot)
    expect(output).toContain('was recorded after the call of the agent')
    expect(exitCode).toBe(3)
  })
})
