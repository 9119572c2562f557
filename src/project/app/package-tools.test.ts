import { describe, expect, it } from 'vitest'
import { readPackageTools } from './package-tools.ts'

describe('readPackageTools', () => {
  it('reads all four ways to name a server', () => {
    const servers = [
      'a',
      { server_id: 'b', tools: ['x'], resources: ['r'] },
      { c: ['y'] },
      { d: { tools: ['z'] } },
    ]
    expect(readPackageTools({ servers }, 'package.yao').servers).toEqual([
      { id: 'a' },
      { id: 'b', tools: ['x'] },
      { id: 'c', tools: ['y'] },
      { id: 'd', tools: ['z'] },
    ])
  })

  it('chooses all tools of a server when none is named', () => {
    const servers = [{ server_id: 'a' }, { b: [] }, { c: {} }, { d: { resources: ['r'] } }]
    expect(readPackageTools({ servers }, 'package.yao').servers).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => ({ id })),
    )
  })

  it('has no servers and the limits of the Yao engine by default', () => {
    const limits = { maxTurn: 5, maxTurnKey: 'mcp.options.max_turn', loop: true, most: 20 }
    const none = { servers: [], modules: [], declared: false, ...limits }
    for (const mcp of [undefined, null]) expect(readPackageTools(mcp, 'package.yao')).toEqual(none)
    expect(readPackageTools({}, 'package.yao')).toEqual({ ...none, declared: true })
    expect(readPackageTools({ options: { max_turn: 9, tool_loop: false } }, 'p')).toMatchObject({
      maxTurn: 9,
      loop: false,
    })
  })

  it.each([
    [{ servers: [{ a: ['x'], b: ['y'] }] }, 'package.yao: mcp.servers[0]: must be "id"'],
    [{ servers: ['a', 7] }, 'package.yao: mcp.servers[1]: must be "id"'],
    [{ servers: [{ a: 'x' }] }, 'package.yao: mcp.servers[0]: must be "id"'],
    [{ servers: [{ server_id: 'a', tool: ['x'] }] }, 'package.yao: mcp.servers[0]: must be "id"'],
    [{ options: { max_turn: 0 } }, 'package.yao: mcp.options.max_turn must be at least 1'],
    [{ server: ['a'] }, 'package.yao: unknown key "server" in mcp (did you mean "servers"?)'],
    [{ options: { max_trun: 2 } }, 'unknown key "max_trun" in mcp.options (did you mean "max_turn"?)'],
    ['a', 'package.yao: mcp must be an object, got a string'],
  ])('rejects %j', (mcp, message) => {
    expect(() => readPackageTools(mcp, 'package.yao')).toThrow(message)
  })
})
