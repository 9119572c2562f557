import { describe, expect, it } from 'vitest'
import { openEcho, openServers, pingSchema, processServer } from '../../../test/support/mcp-app.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'

const scope = createPlainScope()

describe('findToolServers', () => {
  it('finds the servers of the app and of its assistants', async () => {
    const known = openServers({
      'mcps/echo.mcp.yao': processServer({ tools: { ping: 'scripts.echo.Ping' } }),
      'assistants/robot/host/package.yao': {},
      'assistants/robot/host/mcps/tools.mcp.yao': processServer({
        tools: { move: 'agents.robot.host.tools.Move' },
      }),
      'assistants/robot/host/mcps/mapping/tools/schemes/move.in.yao': pingSchema,
    })
    expect(known.ids()).toEqual(['agents.robot.host.tools', 'echo'])
    const server = known.server('agents.robot.host.tools')
    const [move] = await server.tools(scope)
    expect(move?.name).toBe('agents_robot_host_tools__move')
    expect(await move?.call({ count: 2 }, scope)).toEqual({
      process: 'agents.robot.host.tools.Move',
      args: [2],
    })
    expect(known.server('agents.robot.host.tools')).toBe(server)
    expect(() => known.server('tools')).toThrow(
      'unknown MCP server "tools": there are agents.robot.host.tools, echo (did you mean "agents.robot.host.tools"?)',
    )
  })

  it('knows the secrets that are written in headers and in the environment of a command', () => {
    const known = openServers({
      'mcps/web.mcp.yao': {
        transport: 'http',
        url: 'http://127.0.0.1:9/mcp',
        headers: { Authorization: 'Bearer token-1', 'X-Api-Key': 'key-1', Accept: 'application/json' },
      },
      'mcps/own.mcp.yao': {
        transport: 'stdio',
        command: process.execPath,
        env: { API_TOKEN: 'token-2', MODE: 'verbose', DB: 'redis://me:hunter2@cache' },
      },
    })
    for (const id of known.ids()) known.server(id)
    expect(known.secrets().sort()).toEqual([
      'key-1',
      'me:hunter2@',
      'redis://me:hunter2@cache',
      'token-1',
      'token-2',
    ])
  })

  it('reads the tools from the folder named by mapping', async () => {
    const { tools } = openEcho({
      'mcps/echo.mcp.yao': processServer({ mapping: 'mapping.search', tools: { ping: 'scripts.echo.Ping' } }),
      'mcps/mapping/search/schemes/ping.in.yao': pingSchema,
    })
    expect(await tools(scope)).toMatchObject([{ name: 'echo__ping', description: 'Pings' }])
  })

  it('rejects a process server without tools', () => {
    const lacking = 'mcps/echo.mcp.yao: MCP server echo: transport "process" needs "tools"'
    expect(() => openEcho({ 'mcps/echo.mcp.yao': processServer({}) })).toThrow(lacking)
    expect(() => openEcho({ 'mcps/echo.mcp.yao': processServer({ resources: {} }) })).toThrow(lacking)
  })

  it.each(['tools', 'resources', 'prompts'])('rejects %s that do not map names to processes', (key) => {
    const wrong = processServer({ [key]: ['a'] })
    expect(() => openEcho({ 'mcps/echo.mcp.yao': wrong })).toThrow(
      `MCP server echo: "${key}" must map names of ${key} to processes`,
    )
  })
})
