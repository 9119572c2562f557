import { describe, expect, it } from 'vitest'
import { openEcho, processServer } from '../../../test/support/mcp-app.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'

const scope = createPlainScope()

describe('processResources', () => {
  const health = {
    uri: 'echo://health?check={check}',
    name: 'Health Check',
    description: 'Health',
    mimeType: 'application/json',
  }
  const file = processServer({ resources: { info: 'scripts.echo.Info', health: 'scripts.echo.Health' } })
  const app = (args?: unknown, more: Record<string, unknown> = {}) => ({
    'mcps/echo.mcp.yao': file,
    'mcps/mapping/echo/resources/info.res.yao': '// what it is\n{ "uri": "echo://info", }',
    'mcps/mapping/echo/resources/health.res.yao': { ...health, 'x-process-args': args },
    ...more,
  })

  it('lists resources by the names in the server file', async () => {
    expect(await openEcho(app()).extras.resources(scope)).toEqual([
      { uri: 'echo://info', name: 'info' },
      {
        uri: 'echo://health?check={check}',
        name: 'health',
        description: 'Health',
        mimeType: 'application/json',
      },
    ])
  })

  it.each<[unknown, unknown[]]>([
    [undefined, ['echo://health?check=all&deep=yes']],
    [[], []],
    [
      ['$query.check', '$query.deep', '$query.other'],
      ['all', 'yes', null],
    ],
    [
      ['$uri.check', '$args.check', '$params.deep', '$check', '$toString'],
      ['all', 'all', 'yes', 'all', null],
    ],
    [
      [':uri', 'fixed', 7],
      ['echo://health?check=all&deep=yes', 'fixed', '7'],
    ],
    [
      [':arguments', ':parameters'],
      [
        { check: 'all', deep: 'yes' },
        { check: 'all', deep: 'yes' },
      ],
    ],
  ])('passes %j to the process that reads the resource', async (args, given) => {
    const uri = 'echo://health?check=all&deep=yes'
    const { contents } = await openEcho(app(args)).extras.readResource(uri, scope)
    expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }])
    expect(JSON.parse(contents[0]?.text ?? '')).toEqual({ process: 'scripts.echo.Health', args: given })
  })

  it('prefers an exact URI to one with variables', async () => {
    const { extras } = openEcho({
      'mcps/echo.mcp.yao': processServer({ resources: { any: 'scripts.a.Any', new: 'scripts.a.New' } }),
      'mcps/mapping/echo/resources/any.res.yao': { uri: 'customers://{id}', 'x-process-args': ['$uri.id'] },
      'mcps/mapping/echo/resources/new.res.yao': { uri: 'customers://new' },
    })
    const read = async (uri: string) =>
      JSON.parse((await extras.readResource(uri, scope)).contents[0]?.text ?? '')
    expect(await read('customers://7')).toEqual({ process: 'scripts.a.Any', args: ['7'] })
    expect(await read('customers://new')).toEqual({ process: 'scripts.a.New', args: ['customers://new'] })
  })

  it('returns text unchanged and other values as JSON', async () => {
    const read = async (result: unknown) => {
      const { contents } = await openEcho(app(), async () => result).extras.readResource('echo://info', scope)
      return contents[0]?.text
    }
    expect(await read('as it is')).toBe('as it is')
    expect(await read([1, { a: true }])).toBe('[1,{"a":true}]')
    expect(await read(undefined)).toBe('null')
  })

  it('fails with the error of the process', async () => {
    const { extras } = openEcho(app(), async () => {
      throw new Error('no database')
    })
    await expect(extras.readResource('echo://info', scope)).rejects.toMatchObject({
      name: 'ToolError',
      message: 'no database',
    })
  })

  it('lists the known resources for an unknown one', async () => {
    await expect(openEcho(app()).extras.readResource('echo://helth', scope)).rejects.toMatchObject({
      name: 'ConfigError',
      message:
        'MCP server echo has no resource "echo://helth" (it has: echo://info, echo://health?check={check})',
    })
  })

  it.each<[string, unknown, string]>([
    ['no URI', { name: 'x' }, 'mcps/echo.mcp.yao: MCP server echo: resource info: uri is missing'],
    [
      'a value that is not an object',
      [],
      'MCP server echo: the description of resource info is not an object',
    ],
    ['invalid JSON', '{ "uri": ', 'mcps/mapping/echo/resources/info.res.yao:1:'],
    ['wrong arguments', { uri: 'a://b', 'x-process-args': '$uri.id' }, 'resource info: x-process-args'],
  ])('rejects a resource with %s', (_, written, message) => {
    expect(() => openEcho(app([], { 'mcps/mapping/echo/resources/info.res.yao': written }))).toThrow(message)
  })

  it('rejects a resource without a file', () => {
    expect(() => openEcho({ 'mcps/echo.mcp.yao': file })).toThrow(
      'mcps/echo.mcp.yao: MCP server echo: resource info has no description: there is no mapping/echo/resources/info.res.yao',
    )
  })
})
