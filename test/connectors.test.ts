import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIResponsesServer } from '../src/models/fakes/fake-openai-responses-server.ts'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { readReportData } from './support/html-report.ts'
import { play as playIn, project, viva } from './support/viva.ts'

const replies = (reply: string) => JSON.stringify({ type: 'scripted', options: { rules: [{ reply }] } })
const prompt = '- {role: system, content: Be kind.}'

/** An app with an agent `desk` that uses the connector `mind`, and with other connectors to choose from. */
function app(files: Record<string, string> = {}): string {
  return project({
    'app.yao': '{}',
    'assistants/desk/package.yao': JSON.stringify({ name: 'Desk', connector: 'mind' }),
    'assistants/desk/prompts.yml': prompt,
    'connectors/mind.conn.yao': replies('from mind'),
    'connectors/loud.conn.yao': replies('FROM LOUD'),
    'connectors/small.conn.yao': replies('from small'),
    'viva.config.json': JSON.stringify({ roles: { light: 'small', default: 'loud' } }),
    ...files,
  })
}

const hooks = (code: string) => ({ 'assistants/desk/src/index.ts': code })

const play = (cwd: string, cases: readonly object[], flags: readonly string[] = []) =>
  playIn(cwd, cases, ['-n', 'desk', ...flags])

async function answeredBy(
  cwd: string,
  options: object = {},
  flags: readonly string[] = [],
): Promise<unknown> {
  const { lines, output } = await play(cwd, [{ id: 'one', input: 'Hi', options }], flags)
  expect(lines[0], output).toMatchObject({ status: 'passed' })
  return lines[0]?.connector
}

describe('the connector recorded in a result', () => {
  it('a result records the connector of the agent, or the one that its case chose', async () => {
    expect(await answeredBy(app())).toBe('mind')
    expect(await answeredBy(app(), { connector: 'loud' })).toBe('loud')
  })

  it('-c overrides the connector that a case chose', async () => {
    expect(await answeredBy(app(), { connector: 'loud' }, ['-c', 'small'])).toBe('small')
  })

  it('an endpoint given with -c is recorded without its credentials, and its model is asked', async () => {
    const server = await startFakeOpenAIServer()
    onTestFinished(() => server.close())
    const address = server.url.replace('//', '//bob:pass-word-123@')
    const { lines, output } = await play(
      app(),
      [{ id: 'one', input: 'Hi', expected: 'no' }],
      ['-c', `openai:${address}#tiny`],
    )
    expect(lines[0]).toMatchObject({ connector: `openai:${server.url}#tiny`, error_kind: 'assertion' })
    expect(server.requests).toMatchObject([{ body: { model: 'tiny' } }])
    expect(output + JSON.stringify(lines)).not.toContain('pass-word-123')
  })

  it('an invalid endpoint given with -c is refused', async () => {
    const { exitCode, stderr } = await play(app(), [{ id: 'one', input: 'Hi' }], ['-c', 'openai:nowhere'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'openai:nowhere: not an OpenAI endpoint (write openai:http://host:port/v1#model)',
    )
  })

  it('an openai-responses endpoint given with -c is asked by its own API', async () => {
    const server = await startFakeOpenAIResponsesServer()
    onTestFinished(() => server.close())
    const reference = `openai-responses:${server.url}#tiny`
    expect(await answeredBy(app(), {}, ['-c', reference])).toBe(reference)
    expect(server.requests).toMatchObject([{ body: { model: 'tiny', instructions: 'Be kind.' } }])
  })

  it('a connector chosen by role is recorded by its own name', async () => {
    expect(await answeredBy(app(), { connector: 'use::light' })).toBe('small')
    const unnamed = app({ 'assistants/desk/package.yao': '{"name": "Desk"}' })
    expect(await answeredBy(unnamed)).toBe('loud')
  })

  it('a Create hook overrides the connector that a case chose', async () => {
    const cwd = app(hooks("function Create() { return { connector: 'use::light' } }"))
    expect(await answeredBy(cwd, { connector: 'loud' })).toBe('small')
  })

  it('a delegated turn records the connector of the agent that answered', async () => {
    const other = {
      'assistants/other/package.yao': '{"name": "Other", "connector": "small"}',
      'assistants/other/prompts.yml': prompt,
    }
    for (const hook of [
      "function Create(ctx, messages) { return { delegate: { agent_id: 'other', messages } } }",
      "function Next(ctx, { messages }) { return { delegate: { agent_id: 'other', messages } } }",
    ])
      expect(await answeredBy(app({ ...hooks(hook), ...other }))).toBe('small')
  })

  it('a result has no connector when no connector answered', async () => {
    const silent = app({
      ...hooks("function Next() { return { data: 'from the hook' } }"),
      'assistants/desk/prompts.yml': '[]',
    })
    expect(await answeredBy(silent, { connector: 'loud' })).toBeUndefined()
  })

  it('every turn records its connector, and a case records the one that most of its turns used', async () => {
    const turns = [
      { input: 'a' },
      { input: 'b', options: { connector: 'loud' } },
      { input: 'c', options: { connector: 'use::light' } },
    ]
    const { lines } = await play(app(), [
      { id: 'mixed', turns: [...turns, { input: 'd' }] },
      { id: 'chosen', options: { connector: 'loud' }, turns: turns.slice(0, 2) },
    ])
    expect(lines[0]).toMatchObject({
      connector: 'mind',
      turns: [
        { connector: 'mind', output: 'from mind' },
        { connector: 'loud', output: 'FROM LOUD' },
        { connector: 'small', output: 'from small' },
        { connector: 'mind' },
      ],
    })
    expect(lines[1]).toMatchObject({
      connector: 'loud',
      turns: [{ connector: 'loud' }, { connector: 'loud' }],
    })
  })

  it('the connector is in every report, also with --no-transcripts', async () => {
    const turns = [{ input: 'a' }, { input: 'b', options: { connector: 'loud' } }, { input: 'c' }]
    const cases = [{ id: 'one', turns, final_assertions: { type: 'contains', value: 'nothing of it' } }]
    const cwd = app()
    const files = ['-o', 'report.json', '-o', 'report.md', '-o', 'report.html']
    await play(cwd, cases, files)
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
    const expected = { connector: 'mind', turns: [{}, { connector: 'loud' }, {}] }
    expect(JSON.parse(read('report.json')).results[0]).toMatchObject(expected)
    expect(readReportData(join(cwd, 'report.html'), 'results')[0]).toMatchObject(expected)
    await viva(['extract', 'results.jsonl'], { cwd })
    for (const file of ['report.md', 'extracted/one.md']) {
      expect(read(file)).toContain('\nConnector: mind\n')
      expect(read(file)).toContain('\nagent: from mind\nuser: b\nagent (loud): FROM LOUD\nuser: c\n')
    }
    const hidden = await play(app(), cases, ['--no-transcripts'])
    expect(hidden.lines[0]).toMatchObject(expected)
  })
})

describe('a connector of type openai-responses', () => {
  const mind = (host: string, more: object = {}) =>
    JSON.stringify({ type: 'openai-responses', options: { model: 'gpt-5', host, max_tokens: 9, ...more } })

  it('answers for an agent, with the cost of its tokens', async () => {
    const server = await startFakeOpenAIResponsesServer({
      answer: () => ({ text: 'Hello', usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 4 } }),
    })
    onTestFinished(() => server.close())
    const prices = { mind: { input: 1e6, output: 2e6, cached_input: 5e5 } }
    const files = {
      'connectors/mind.conn.yao': mind(server.url),
      'viva.config.json': JSON.stringify({ prices }),
    }
    const { lines } = await play(app(files), [{ id: 'one', input: 'Hi', assert: { type: 'cost', max: 18 } }])
    expect(lines[0]).toMatchObject({ status: 'passed', cost: 18 })
    expect(server.requests).toMatchObject([{ path: '/v1/responses', body: { max_output_tokens: 9 } }])
  })

  it('must not have a setting that its API does not have', async () => {
    const files = { 'connectors/mind.conn.yao': mind('http://127.0.0.1:9', { stop: 'END' }) }
    const { exitCode, stderr } = await play(app(files), [{ id: 'one', input: 'Hi' }])
    expect(stderr).toContain(
      'options.stop has no effect: the API of type "openai-responses" has no such setting',
    )
    expect(exitCode).toBe(2)
  })
})
