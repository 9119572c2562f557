import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIServer } from '../src/testing/fake-openai-server.ts'
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

describe('attachments', () => {
  it('are sent as data, with the type that their bytes tell', async () => {
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

  const refused: [string, unknown, string][] = [
    [
      'a file that is not there',
      { type: 'image', source: 'file://none.png' },
      'file://none.png: no such file',
    ],
    [
      'a file outside the project',
      { type: 'file', source: 'file:///etc/hostname' },
      'lies outside the project',
    ],
    [
      'a way out with dots',
      { type: 'file', source: 'file://../../../../../../etc/hostname' },
      'lies outside the project',
    ],
    ['a symlink out of the project', { type: 'file', source: 'file://link' }, 'lies outside the project'],
    ['a folder', { type: 'file', source: 'file://fixtures' }, 'is no file'],
    ['a source that is no address', { type: 'file', source: 'receipt.jpg' }, 'must begin with file://'],
    [
      'a text as an image',
      { type: 'image', source: 'file://notes.png' },
      'file://notes.png is no image: by its first bytes it is text/plain',
    ],
    ['a text as a sound', { type: 'audio', source: 'file://notes.mp3' }, 'file://notes.mp3 is no audio'],
    ['an unknown type', { type: 'video', source: 'file://a' }, 'must be one of image, audio, file'],
  ]
  it.each(refused)('refuse %s', async (_, attachment, message) => {
    const cwd = project({
      'viva.config.json': '{}',
      'tests/cases.jsonl': jsonl({ id: 'x', input: 'a', attachments: [attachment] }),
      'tests/fixtures/a': '',
      'tests/notes.png': 'Größe\n'.repeat(100),
      'tests/notes.mp3': 'Do, re, mi',
    })
    symlinkSync('/etc/hostname', join(cwd, 'tests/link'))
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'tests/cases.jsonl', '-n', 'openai:http://127.0.0.1:9/v1#m'],
      { cwd },
    )
    expect(stderr).toContain(message)
    expect(stderr).toContain('tests/cases.jsonl:1:')
    expect(exitCode).toBe(2)
  })
})
