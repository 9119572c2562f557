import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, results, viva } from './support/viva.ts'

/** Objects in the shapes of the AI SDK, written by hand because viva does not depend on the package. */
const agent = `
const usage = { inputTokens: 1, outputTokens: 1 }
const reply = (...steps) => ({ steps: steps.map((content) => ({ content })), totalUsage: usage, finishReason: 'stop', output: undefined })
const say = (text) => [{ type: 'text', text }]
const failure = (name, fields) => Object.assign(new Error('it failed'), { name, ...fields })
let calls = 0
export default {
  version: 'agent-v1',
  async generate({ messages, options, seed, abortSignal }) {
    const text = messages.at(-1).content[0].text
    if (text === 'told') return reply(say(JSON.stringify({ messages, options, seed, aborted: abortSignal.aborted })))
    if (text === 'structured') return { ...reply(say('{"ok":true}')), output: { ok: true } }
    if (text === 'busy' && calls++ === 0) throw failure('AI_APICallError', { url: 'https://m.test/v1', statusCode: 503, isRetryable: true })
    if (text === 'key') throw failure('AI_LoadAPIKeyError')
    if (text === 'money') throw failure('AI_RetryError', { lastError: failure('AI_APICallError', { url: 'https://m.test/v1', statusCode: 429, responseBody: 'insufficient_quota' }) })
    if (text === 'tool') throw failure('AI_NoSuchToolError')
    if (text !== 'file') return reply(say('hello'))
    const call = { toolCallId: 'c1', toolName: 'file', input: { amount: 3 } }
    return reply([{ type: 'tool-call', ...call }, { type: 'tool-result', ...call, output: { id: 'E1' } }], say('Filed.'))
  },
}
export const future = { specificationVersion: 'v9', doGenerate: async () => ({}) }
export const nothing = { name: 'x' }
`

function run(cwd: string, ...args: string[]) {
  return viva(['test', '-i', 'cases.jsonl', '-o', 'x.jsonl', '-n', './agent.mjs', ...args], { cwd })
}

describe('AI SDK agents', () => {
  it('an AI SDK agent gets the whole conversation with tool exchanges, the metadata and the seed', async () => {
    const cwd = project({
      'agent.mjs': agent,
      'cases.jsonl': jsonl({
        id: 'a',
        metadata: { tenant: 't1' },
        turns: [
          {
            input: 'file',
            assert: [
              { type: 'equals', value: 'Filed.' },
              { type: 'tool_called', name: 'file', arguments: { amount: 3 } },
              { type: 'tool_result', name: 'file', path: 'id', value: 'E1' },
            ],
          },
          { input: 'told' },
        ],
      }),
    })
    const { exitCode } = await run(cwd, '--seed', '7')
    const [result] = results(join(cwd, 'x.jsonl'))
    const [, received] = (result?.turns ?? []) as { output: string }[]
    const call = { toolCallId: 'c1', toolName: 'file' }
    expect(JSON.parse(received?.output ?? '')).toEqual({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'file' }] },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { amount: 3 } }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', ...call, output: { type: 'json', value: { id: 'E1' } } }],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Filed.' }] },
        { role: 'user', content: [{ type: 'text', text: 'told' }] },
      ],
      options: { tenant: 't1' },
      seed: 7,
      aborted: false,
    })
    expect(result?.usage).toMatchObject({ agent: { calls: 2, input_tokens: 2, output_tokens: 2 } })
    expect(exitCode).toBe(0)
  })

  it('checks look at the structured output of an AI SDK agent that has one', async () => {
    const cwd = project({
      'agent.mjs': agent,
      'cases.jsonl': jsonl({ id: 'a', input: 'structured', expected: { ok: true } }),
    })
    expect(await run(cwd)).toMatchObject({ exitCode: 0 })
  })

  it('errors of the provider are infrastructure errors, retried only where a retry can help', async () => {
    const cwd = project({
      'agent.mjs': agent,
      'viva.config.json': '{"network": {"backoff": "1ms"}}',
      'cases.jsonl': jsonl(
        { id: 'busy', input: 'busy', expected: 'hello' },
        { id: 'money', input: 'money' },
        { id: 'key', input: 'key' },
      ),
    })
    const { exitCode } = await run(cwd)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'busy', status: 'passed', usage: { agent: { calls: 2, retries: 1 } } },
      { id: 'money', fault: 'infrastructure', error_kind: 'quota', usage: { agent: { calls: 1 } } },
      { id: 'key', fault: 'infrastructure', error_kind: 'config', usage: { agent: { calls: 1 } } },
    ])
    expect(exitCode).toBe(3)
  })

  it('a call of a tool that does not exist is an error of the agent', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl({ id: 'a', input: 'tool' }) })
    expect(await run(cwd)).toMatchObject({ exitCode: 1 })
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([{ fault: 'agent', error_kind: 'agent_error' }])
  })

  it('an input that is not a message is refused for an AI SDK agent', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl({ id: 'a', input: { amount: 3 } }) })
    const { exitCode, stderr } = await run(cwd)
    expect(stderr).toContain('cases.jsonl:1')
    expect(stderr).toContain('agent.mjs takes messages')
    expect(exitCode).toBe(2)
  })

  it.each([
    ['future', 'is an AI SDK model of specification v9: only v2 and v3 are supported'],
    ['nothing', 'or an AI SDK agent or model'],
  ])('an export that is no supported agent or model is refused: %s', async (name, message) => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl({ id: 'a', input: 'a' }) })
    const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', `./agent.mjs#${name}`], {
      cwd,
    })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})
