import { describe, expect, it } from 'vitest'
import { openEcho, pingSchema, processServer } from '../../../test/support/mcp-app.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'

const scope = createPlainScope()

describe('readSamples', () => {
  const app = (samples: string, of = 'schemes/ping') => ({
    'mcps/echo.mcp.yao': processServer({
      tools: { ping: 'scripts.echo.Ping' },
      resources: { info: 'scripts.echo.Info' },
    }),
    'mcps/mapping/echo/schemes/ping.in.yao': pingSchema,
    'mcps/mapping/echo/resources/info.res.yao': { uri: 'echo://info' },
    [`mcps/mapping/echo/${of}.jsonl`]: samples,
  })
  const once = { name: 'once', description: 'One ping', input: { count: 1 }, output: { ok: true } }
  const twice = { input: { count: 2 }, metadata: { description: 'Two pings' }, timestamp: 'now' }

  it('numbers the lines of the file', () => {
    const { extras } = openEcho(app(`\uFEFF${JSON.stringify(once)}\r\n\n${JSON.stringify(twice)}\n\n`))
    expect(extras.samples('tool', 'ping')).toEqual([
      { ...once, index: 0, item_name: 'ping' },
      { ...twice, index: 1, item_name: 'ping' },
    ])
    expect(extras.samples('resource', 'info')).toEqual([])
    expect(extras.samples('tool', 'pong')).toEqual([])
  })

  it('reads samples of resources', () => {
    const sample = { name: 'it', description: 'The info', uri: 'echo://info', data: { version: 1 } }
    const { extras } = openEcho(app(JSON.stringify(sample), 'resources/info'))
    expect(extras.samples('resource', 'info')).toEqual([{ ...sample, index: 0, item_name: 'info' }])
  })

  it('adds samples to the tools that models see', async () => {
    const [ping] = await openEcho(
      app([once, twice, {}].map((each) => JSON.stringify(each)).join('\n')),
    ).tools(scope)
    expect(ping?.samples).toEqual([once, { description: 'Two pings', input: { count: 2 } }, { input: {} }])
    const [without] = await openEcho(app('')).tools(scope)
    expect(without).not.toHaveProperty('samples')
  })

  it.each([
    ['{"input": {}}\n\n{"input": ', 3, 'a sample of tool ping is not valid JSON'],
    ['[1]', 1, 'a sample of tool ping must be an object'],
    ['{"input": 7}', 1, 'a sample of tool ping has an "input" that is not an object'],
  ])('rejects a bad sample when the server is created: %j', (samples, line, message) => {
    expect(() => openEcho(app(samples))).toThrow(
      `mcps/mapping/echo/schemes/ping.jsonl:${line}: MCP server echo: ${message}`,
    )
  })

  it('rejects a bad sample of a resource', () => {
    expect(() => openEcho(app('no', 'resources/info'))).toThrow(
      'mcps/mapping/echo/resources/info.jsonl:1: MCP server echo: a sample of resource info is not valid JSON',
    )
  })
})
