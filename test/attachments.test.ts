import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { jsonl, project, results, viva } from './support/viva.ts'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WAVE')])

async function ask(files: Record<string, string | Buffer>, ...cases: unknown[]) {
  const server = await startFakeOpenAIServer({ answer: () => 'seen' })
  onTestFinished(() => server.close())
  const cwd = project({ 'viva.config.json': '{}', 'tests/cases.jsonl': jsonl(...cases) })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(cwd, name, '..'), { recursive: true })
    writeFileSync(join(cwd, name), content)
  }
  const ended = await viva(
    ['test', '-i', 'tests/cases.jsonl', '-n', `openai:${server.url}#m`, '-o', 'x.jsonl'],
    { cwd },
  )
  const sent = server.requests.map(({ body }) => (body.messages as { content: unknown }[]).at(-1)?.content)
  return { ...ended, sent, cwd }
}

function isImageUrl(part: unknown): boolean {
  return (part as { type: string }).type === 'image_url'
}

describe('sending attachments', () => {
  it('attachments are sent as data, with the media type detected from their bytes', async () => {
    const { exitCode, sent, cwd } = await ask(
      { 'tests/fixtures/receipt.jpg': png, 'voice.bin': wav, 'notes.txt': 'hello' },
      {
        id: 'turn',
        turns: [
          { input: 'See receipt', attachments: [{ type: 'image', source: 'file://./fixtures/receipt.jpg' }] },
        ],
      },
      {
        id: 'parts',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'All of it' },
              { type: 'image_url', image_url: 'https://example.com/a.png' },
              { type: 'audio', source: 'file://voice.bin' },
              { type: 'file', source: 'file://notes.txt', name: 'my notes.txt' },
              { type: 'data', data: { a: 1 } },
            ],
          },
        ],
      },
    )
    expect(exitCode).toBe(0)
    expect(sent).toEqual([
      [
        { type: 'text', text: 'See receipt' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      ],
      [
        { type: 'text', text: 'All of it' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'input_audio', input_audio: { data: wav.toString('base64'), format: 'wav' } },
        {
          type: 'file',
          file: {
            filename: 'my notes.txt',
            file_data: `data:text/plain;base64,${Buffer.from('hello').toString('base64')}`,
          },
        },
        { type: 'text', text: '{"a":1}' },
      ],
    ])
    expect(JSON.stringify(results(join(cwd, 'x.jsonl')))).not.toContain(png.toString('base64'))
  })

  it('images may be written in the form of the OpenAI API', async () => {
    const { exitCode, sent } = await ask(
      { 'tests/receipt.jpg': png },
      {
        id: 'x',
        input: {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'file://receipt.jpg', detail: 'low' } },
            { type: 'image_url', image_url: 'file://receipt.jpg' },
          ],
        },
      },
    )
    expect(exitCode).toBe(0)
    const url = `data:image/png;base64,${png.toString('base64')}`
    expect(sent).toEqual([
      [
        { type: 'image_url', image_url: { url, detail: 'low' } },
        { type: 'image_url', image_url: { url } },
      ],
    ])
  })

  const refused: [string, unknown, string][] = [
    [
      'a file that is not there',
      { type: 'image', source: 'file://none.png' },
      'file://none.png: no such file',
    ],
    [
      'a file outside the project',
      { type: 'file', source: 'file:///etc/hostname' },
      'is outside the project',
    ],
    [
      'a way out with dots',
      { type: 'file', source: 'file://../../../../../../etc/hostname' },
      'is outside the project',
    ],
    ['a symlink out of the project', { type: 'file', source: 'file://link' }, 'is outside the project'],
    ['a folder', { type: 'file', source: 'file://fixtures' }, 'is not a file'],
    ['a source that is no address', { type: 'file', source: 'receipt.jpg' }, 'must begin with file://'],
    [
      'an image of OpenAI’s form outside the project',
      { type: 'image_url', image_url: { url: 'file:///etc/hostname' } },
      'is outside the project',
    ],
    [
      'such an image in short',
      { type: 'image_url', image_url: 'file:///etc/hostname' },
      'is outside the project',
    ],
    [
      'such an image that is no address',
      { type: 'image_url', image_url: '/etc/hostname' },
      'must begin with file://',
    ],
    [
      'a text as an image',
      { type: 'image', source: 'file://notes.png' },
      'file://notes.png is not of type image: its first bytes are those of text/plain',
    ],
    [
      'a text as a sound',
      { type: 'audio', source: 'file://notes.mp3' },
      'file://notes.mp3 is not of type audio',
    ],
    ['an unknown type', { type: 'video', source: 'file://a' }, 'must be one of image, audio, file'],
  ]
  it('attachments that do not exist or lie outside the project are refused', async () => {
    const cwd = project({
      'viva.config.json': '{}',
      'tests/cases.jsonl': jsonl(
        ...refused.map(([id, attachment]) =>
          isImageUrl(attachment)
            ? { id, input: { role: 'user', content: [attachment] } }
            : { id, input: 'a', attachments: [attachment] },
        ),
      ),
      'tests/fixtures/a': '',
      'tests/notes.png': 'Größe\n'.repeat(100),
      'tests/notes.mp3': 'Do, re, mi',
    })
    symlinkSync('/etc/hostname', join(cwd, 'tests/link'))
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'tests/cases.jsonl', '-n', 'openai:http://127.0.0.1:9/v1#m'],
      { cwd },
    )
    const errors = stderr.split('\n')
    const unreported = refused.filter(
      ([id, , message], index) =>
        !errors.some(
          (line) =>
            line.startsWith(`✗ tests/cases.jsonl:${index + 1}:`) &&
            line.includes(`: ${id}: `) &&
            line.includes(message),
        ),
    )
    expect(unreported).toEqual([])
    expect(exitCode).toBe(2)
  })
})

describe('attachments by kind of agent', () => {
  const data = `data:image/png;base64,${png.toString('base64')}`
  const image = { type: 'image', source: data, media_type: 'image/png', name: 'receipt.jpg' }
  const first = [{ type: 'text', text: 'See receipt' }, image]
  const second = [{ type: 'image_url', image_url: { url: data }, media_type: 'image/png', name: 'p.png' }]
  const cases = {
    id: 'x',
    turns: [
      { input: 'See receipt', attachments: [{ type: 'image', source: 'file://receipt.jpg' }] },
      { input: { role: 'user', content: [{ type: 'image_url', image_url: 'file://p.png' }] } },
    ],
  }
  const files = {
    'agent.js': 'export default (input, { history }) => ({ output: { input, history } })\n',
    'agent.py': [
      'import json, sys',
      'for line in sys.stdin:',
      '    asked = json.loads(line)',
      '    print(json.dumps({"output": {"input": asked["input"], "history": asked["history"]}}), flush=True)',
      '',
    ].join('\n'),
    'model.js': [
      'export default {',
      "  specificationVersion: 'v3', provider: 'x', modelId: 'x', supportedUrls: {},",
      '  doGenerate: async ({ prompt }) => ({',
      "    content: [{ type: 'text', text: JSON.stringify(prompt) }], finishReason: { unified: 'stop' },",
      '    usage: { inputTokens: {}, outputTokens: {} }, warnings: [],',
      '  }),',
      '}',
      '',
    ].join('\n'),
  }

  /** Returns what the agent says it received with each turn. The results must name the files without their data. */
  async function receivedInputs(agent: string, agents: unknown = {}): Promise<unknown[]> {
    const cwd = project({
      'viva.config.json': JSON.stringify({ agents }),
      'cases.jsonl': jsonl(cases),
      ...files,
    })
    for (const name of ['receipt.jpg', 'p.png']) writeFileSync(join(cwd, name), png)
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'x.jsonl', '--json'],
      { cwd },
    )
    expect(exitCode).toBe(0)
    const turns = results(join(cwd, 'x.jsonl'))[0]?.turns as { input: unknown; output: unknown }[]
    const events = stdout.trimEnd().split('\n')
    const requests = events.map((line) => (JSON.parse(line) as { request?: object }).request)
    const firstRequest = requests.find((request) => request !== undefined)
    const recorded = JSON.stringify([turns.map(({ input }) => input), firstRequest])
    expect(recorded).toMatch(/receipt\.jpg.*receipt\.jpg/)
    expect(recorded).not.toContain(png.toString('base64'))
    return turns.map(({ output }) => output)
  }

  async function serve(read: (body: Record<string, unknown>) => unknown): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.setHeader('content-type', 'application/json')
      const url = `http://${request.headers.host}/rpc`
      const card = {
        name: 'x',
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        capabilities: {},
      }
      const asked = () => JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      response.end(JSON.stringify(request.method === 'GET' ? card : read(asked())))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const said = [{ role: 'user', content: first }]
  it.each(['./agent.js', 'exec:python3 agent.py'])(
    '%s gets attachments as data, also in history',
    async (agent) => {
      const output = await receivedInputs(agent)
      expect(output).toMatchObject([
        { input: first, history: [] },
        { input: second, history: [...said, { role: 'assistant' }] },
      ])
    },
  )

  it('an AI SDK model receives attachments as files', async () => {
    const output = await receivedInputs('./model.js')
    const prompts = output.map((text) => JSON.parse(text as string) as { content: unknown }[])
    const file = { type: 'file', mediaType: 'image/png', data: png.toString('base64') }
    expect(prompts[0]?.[0]?.content).toMatchObject([
      { type: 'text', text: 'See receipt' },
      { ...file, filename: 'receipt.jpg' },
    ])
    expect(prompts[1]?.[2]?.content).toMatchObject([{ ...file, filename: 'p.png' }])
  })

  it('an http agent receives attachments as data in input, history and messages', async () => {
    const url = await serve((body) => ({ output: body }))
    const request = { input: '{{input}}', history: '{{history}}', messages: '{{messages}}' }
    const output = await receivedInputs('x', { x: { url, request } })
    expect(output).toMatchObject([
      { input: first, history: [], messages: said },
      { input: second, history: [...said, {}], messages: [...said, {}, { role: 'user', content: second }] },
    ])
  })

  it('an A2A agent receives attachments as parts of the protocol', async () => {
    const url = await serve(({ id, params }) => {
      const { parts } = (params as { message: { parts: unknown[] } }).message
      const message = { messageId: 'm', contextId: 'c', role: 'ROLE_AGENT', parts: [{ data: parts }] }
      return { jsonrpc: '2.0', id, result: { message } }
    })
    const output = await receivedInputs(`a2a:${url}`)
    const raw = png.toString('base64')
    expect(output).toMatchObject([
      [{ text: 'See receipt' }, { raw, filename: 'receipt.jpg', mediaType: 'image/png' }],
      [{ raw, filename: 'p.png', mediaType: 'image/png' }],
    ])
  })
})
