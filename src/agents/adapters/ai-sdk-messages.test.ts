import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attach } from '../../results/transcript/attachment.ts'
import type { Message, ToolCall } from '../../results/transcript/message.ts'
import { aiSdkMessages } from './ai-sdk-messages.ts'

const call: ToolCall = { id: 'c1', name: 'look_up', arguments: { id: 7 } }
const callPart = { type: 'tool-call', toolCallId: 'c1', toolName: 'look_up', input: { id: 7 } }

function resultPart(output: object) {
  return { type: 'tool-result', toolCallId: 'c1', toolName: 'look_up', output }
}

describe('aiSdkMessages', () => {
  it('writes system messages as text and all others as parts', () => {
    expect(
      aiSdkMessages([
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '' },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
    ])
  })

  it('adds the name of the tool to every tool result', () => {
    const history: Message[] = [
      { role: 'assistant', content: '', toolCalls: [call, { id: 'c2', name: 'see', arguments: {} }] },
      { role: 'tool', toolCallId: 'c2', content: 'seen' },
      { role: 'tool', toolCallId: 'c1', content: { status: 'shipped' } },
      { role: 'assistant', content: 'Shipped.' },
    ]
    expect(aiSdkMessages(history)).toEqual([
      {
        role: 'assistant',
        content: [callPart, { type: 'tool-call', toolCallId: 'c2', toolName: 'see', input: {} }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'see',
            output: { type: 'text', value: 'seen' },
          },
          resultPart({ type: 'json', value: { status: 'shipped' } }),
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Shipped.' }] },
    ])
  })

  it('marks the result of a failed tool as an error', () => {
    const history: Message[] = [
      { role: 'assistant', content: 'Wait.', toolCalls: [{ ...call, error: 'no such order' }] },
      { role: 'tool', toolCallId: 'c1', content: 'Error: no such order' },
    ]
    expect(aiSdkMessages(history)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'Wait.' }, callPart] },
      { role: 'tool', content: [resultPart({ type: 'error-text', value: 'no such order' })] },
    ])
  })

  it('adds a result to a call that has none, because the SDK requires one', () => {
    const calling: Message = { role: 'assistant', content: '', toolCalls: [call] }
    const noResult = resultPart({ type: 'text', value: 'There is no result: the conversation went on.' })
    expect(aiSdkMessages([calling, { role: 'user', content: 'Well?' }])).toEqual([
      { role: 'assistant', content: [callPart] },
      { role: 'tool', content: [noResult] },
      { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
    ])
    expect(aiSdkMessages([calling]).at(-1)).toEqual({ role: 'tool', content: [noResult] })
  })

  it('embeds the bytes of local files and keeps the URLs of remote ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'viva-media-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'a.pdf'), 'abc')
    const path = join(folder, 'a.pdf')
    const source = pathToFileURL(path).href
    const mediaType = 'application/pdf'
    const content = [
      { type: 'text', text: 'Look' },
      attach({ type: 'file', source, media_type: mediaType, name: 'a.pdf' }, { path, mediaType }),
      { type: 'image', source: 'https://example.test/a.png' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,YWJj' } },
      { type: 'data', data: { a: 1 } },
    ]
    expect(aiSdkMessages([{ role: 'user', content }])[0]?.content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'file', mediaType: 'application/pdf', data: 'YWJj', filename: 'a.pdf' },
      { type: 'file', mediaType: 'image/*', data: 'https://example.test/a.png' },
      { type: 'file', mediaType: 'image/png', data: 'YWJj' },
      { type: 'text', text: '{"a":1}' },
    ])
  })
})
