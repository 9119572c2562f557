import { describe, expect, it } from 'vitest'
import { unknownId } from './unknown-id.ts'

const message = (id: string, known: string[]) =>
  unknownId('MCP server', 'unknown_mcp_server', id, known).message

describe('an id that is not known', () => {
  it('is told with those that are', () => {
    expect(message('mail', [])).toBe('unknown MCP server "mail": there are none')
    expect(message('mail', ['orders', 'desk'])).toBe('unknown MCP server "mail": there are desk, orders')
  })

  it('may be spelt like another one', () => {
    expect(message('dsek', ['desk'])).toBe('unknown MCP server "dsek": there are desk (did you mean "desk"?)')
  })

  it('may be the end of a longer one', () => {
    expect(message('tools', ['agents.expense.tools', 'tool'])).toContain(
      '(did you mean "agents.expense.tools"?)',
    )
    expect(message('expense.tools', ['agents.expense.tools'])).toContain(
      '(did you mean "agents.expense.tools"?)',
    )
    expect(message('tools', ['agents.b.tools', 'agents.a.tools', 'agents.a.mytools'])).toContain(
      '(did you mean "agents.a.tools" or "agents.b.tools"?)',
    )
  })
})
