import { describe, expect, test } from 'vitest'
import { createServerSentEventParser, type ServerSentEvent } from './sse.ts'

function parse(...chunks: (string | Uint8Array)[]): ServerSentEvent[] {
  const events: ServerSentEvent[] = []
  const parser = createServerSentEventParser((event) => events.push(event))
  for (const chunk of chunks) parser.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  parser.end()
  return events
}

const parseData = (...chunks: (string | Uint8Array)[]) => parse(...chunks).map(({ data }) => data)

describe('server-sent events', () => {
  test('end their lines with LF, CRLF or CR', () => {
    expect(parseData('data: a\n\ndata: b\n\n')).toEqual(['a', 'b'])
    expect(parseData('data: a\r\n\r\ndata: b\r\n\r\n')).toEqual(['a', 'b'])
    expect(parseData('data: a\r\rdata: b\r\r')).toEqual(['a', 'b'])
  })

  test('are the same in whatever pieces the body arrives', () => {
    const body = Buffer.from(
      '\uFEFF: hello\r\ndata: {"a":\r\ndata: "ü€😀"}\r\n\r\nevent: error\ndata:x\n\ndata: y\r\r',
    )
    const whole = parse(body)
    expect(whole).toEqual([
      { event: 'message', data: '{"a":\n"ü€😀"}' },
      { event: 'error', data: 'x' },
      { event: 'message', data: 'y' },
    ])
    for (let size = 1; size < body.length; size++) {
      const pieces: Uint8Array[] = []
      for (let start = 0; start < body.length; start += size) pieces.push(body.subarray(start, start + size))
      expect(parse(...pieces), `in pieces of ${size} bytes`).toEqual(whole)
    }
  })

  test('are emitted as soon as their blank line arrives, even one that ends with CR', () => {
    const events: ServerSentEvent[] = []
    const parser = createServerSentEventParser((event) => events.push(event))
    parser.push(Buffer.from('data: a\r\n\r'))
    expect(events).toHaveLength(1)
    parser.push(Buffer.from('\ndata: b\n\n'))
    expect(events.map(({ data }) => data)).toEqual(['a', 'b'])
  })

  test('join several data lines with a line feed', () => {
    expect(parseData('data: a\ndata\ndata: b\n\n')).toEqual(['a\n\nb'])
  })

  test('lose one space after the colon and no more', () => {
    expect(parseData('data:a\n\ndata:  b\n\n')).toEqual(['a', ' b'])
  })

  test('do not come from comments, other fields and blank lines', () => {
    expect(parseData(': ping\n\n', 'id: 1\nretry: 5\nevent: x\n\n', '\n\n', 'data: a\n\n')).toEqual(['a'])
  })

  test('need no blank line and no line end after the last one', () => {
    expect(parseData('data: a\n\ndata: [DONE]')).toEqual(['a', '[DONE]'])
  })

  test('may hold one line of megabytes in many chunks', () => {
    const chunk = 'x'.repeat(64 * 1024)
    const [data] = parseData('data: ', ...Array.from({ length: 256 }, () => chunk), '\n\n')
    expect(data).toHaveLength(256 * 64 * 1024)
  })
})
