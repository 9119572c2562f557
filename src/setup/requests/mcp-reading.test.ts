import { describe, expect, it } from 'vitest'
import type { ToolServers } from '../../project/app/mcps.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { McpItem } from '../../scripts/protocol/ask.ts'
import { createProcessServer } from '../../tools/process-server.ts'
import type { ToolServer } from '../../tools/tool.ts'
import { readMcp } from './mcp-reading.ts'

const sample = { index: 0, item_name: 'ping', input: { count: 1 } }
const full = createProcessServer(
  'echo',
  {
    tools: [{ name: 'ping', process: 'scripts.a.Ping', inputSchema: {}, processArgs: [], samples: [sample] }],
    resources: [
      { uri: 'echo://info', name: 'info', process: 'scripts.a.Info', processArgs: [], samples: [] },
    ],
    prompts: [{ name: 'greet', messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] }],
  },
  async () => ({ version: 1 }),
)
const plain: ToolServer = { id: 'plain', tools: async () => [], async close() {} }

const toolServers: ToolServers = {
  ids: () => ['echo', 'plain'],
  server: (id) => (id === 'echo' ? full : plain),
  written: () => {
    throw new Error('nothing is written here')
  },
  belongsTo: () => 'case',
  module: () => {
    throw new Error('no modules here')
  },
  oneAtATime: () => false,
  expect: () => {},
  notices: () => [],
  secrets: () => [],
  async close() {},
}

const read = (wanted: McpItem, server = 'echo') =>
  readMcp({ kind: 'read_mcp', server, wanted }, { toolServers }, createPlainScope())

describe('what a script asks of an MCP server besides tools', () => {
  it.each<[McpItem, unknown]>([
    [{ what: 'resources' }, { resources: [{ uri: 'echo://info', name: 'info' }] }],
    [{ what: 'resource', uri: 'echo://info' }, { contents: [{ uri: 'echo://info', text: '{"version":1}' }] }],
    [{ what: 'prompts' }, { prompts: [{ name: 'greet' }] }],
    [
      { what: 'prompt', name: 'greet', arguments: null },
      { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] },
    ],
    [
      { what: 'samples', of: 'tool', name: 'ping' },
      { samples: [sample], total: 1 },
    ],
    [
      { what: 'samples', of: 'resource', name: 'info' },
      { samples: [], total: 0 },
    ],
    [{ what: 'sample', of: 'tool', name: 'ping', index: 0 }, sample],
  ])('is answered: %j', async (wanted, answer) => {
    expect(await read(wanted)).toEqual(answer)
  })

  it.each<[McpItem, string]>([
    [{ what: 'resource', uri: undefined }, 'ctx.mcp.ReadResource needs a URI'],
    [
      { what: 'prompt', name: 'greet', arguments: 'Ann' },
      'ctx.mcp.GetPrompt needs its arguments as an object',
    ],
    [
      { what: 'samples', of: 'prompt', name: 'greet' },
      'samples are of a "tool" or of a "resource", not of "prompt"',
    ],
    [
      { what: 'sample', of: 'tool', name: 'ping', index: 3 },
      'there is no sample 3 of tool "ping" of MCP server echo: it has 1, counted from 0',
    ],
    [
      { what: 'sample', of: 'tool', name: 'ping', index: '0' },
      'there is no sample "0" of tool "ping" of MCP server echo: it has 1, counted from 0',
    ],
    [
      { what: 'sample', of: 'resource', name: 'info', index: -1 },
      'there is no sample -1 of resource "info" of MCP server echo: it has none',
    ],
  ])('is refused: %j', async (wanted, message) => {
    await expect(read(wanted)).rejects.toThrow(message)
  })

  it('is nothing where a server has only tools', async () => {
    expect(await read({ what: 'resources' }, 'plain')).toEqual({ resources: [] })
    expect(await read({ what: 'prompts' }, 'plain')).toEqual({ prompts: [] })
    expect(await read({ what: 'samples', of: 'tool', name: 'x' }, 'plain')).toEqual({ samples: [], total: 0 })
    await expect(read({ what: 'resource', uri: 'a://b' }, 'plain')).rejects.toMatchObject({
      message: 'MCP server plain offers no resources',
      problems: [{ code: 'unknown_resource' }],
    })
    await expect(read({ what: 'prompt', name: 'x', arguments: {} }, 'plain')).rejects.toMatchObject({
      message: 'MCP server plain offers no prompts',
      problems: [{ code: 'unknown_prompt' }],
    })
  })
})
