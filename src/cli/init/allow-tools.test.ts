import { describe, expect, it } from 'vitest'
import { allowTools } from './allow-tools.ts'
import { isHarmlessTool, type McpTool } from './list-tools.ts'

const tool = (server: string, name: string, annotations?: McpTool['annotations']): McpTool => ({
  server,
  name,
  fullName: `${server}__${name}`,
  inputSchema: {},
  ...(annotations === undefined ? {} : { annotations }),
})

describe('tools that a first run may call', () => {
  it('what the server says about a tool counts more than its name', () => {
    const harmless = [
      tool('a', 'get_order'),
      tool('a', 'weather', { readOnlyHint: true }),
      tool('a', 'get_order', { destructiveHint: false }),
    ]
    const others = [
      tool('a', 'weather'),
      tool('a', 'get_order', { readOnlyHint: false }),
      tool('a', 'get_order', { destructiveHint: true }),
      tool('a', 'get_or_create_account'),
    ]
    expect([...harmless, ...others].filter(isHarmlessTool)).toEqual(harmless)
  })

  it('every server in the config names its tools, and what is left out is said', () => {
    const servers = {
      written: {
        shop: { command: 'shop', env: { KEY: '$ENV.SHOP_KEY' } },
        mail: { command: 'mail', env: { KEY: '$ENV.SHOP_KEY_2' } },
      },
      values: { SHOP_KEY: 'abc', SHOP_KEY_2: 'def' },
    }
    const tools = [tool('shop', 'get_order'), tool('shop', 'delete_order'), tool('mail', 'send')]
    const { mcp, notes, values } = allowTools(servers, tools, tools.filter(isHarmlessTool))
    expect(mcp).toEqual({ shop: { ...servers.written.shop, tools: ['get_order'] } })
    expect(values).toEqual({ SHOP_KEY: 'abc' })
    expect(notes).toEqual([
      'Tools of shop that may change something are left out: delete_order. To allow one, add it to mcp.shop.tools in the config.',
      expect.stringContaining(
        'add it to agents.assistant.mcp in the config: "mail": {"command":"mail","env":{"KEY":"$ENV.SHOP_KEY_2"},"tools":["send"]}',
      ),
    ])
  })
})
