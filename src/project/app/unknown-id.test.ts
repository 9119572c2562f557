import { describe, expect, it } from 'vitest'
import { unknownIdError } from './unknown-id.ts'

const message = (id: string, known: string[]) =>
  unknownIdError('MCP server', 'unknown_mcp_server', id, known).message

describe('unknownId', () => {
  it('lists the known ids', () => {
    expect(message('mail', [])).toBe('unknown MCP server "mail": there are none')
    expect(message('mail', ['orders', 'desk'])).toBe('unknown MCP server "mail": there are desk, orders')
  })

  it('suggests an id with a similar spelling', () => {
    expect(message('dsek', ['desk'])).toBe('unknown MCP server "dsek": there are desk (did you mean "desk"?)')
  })

  it('suggests ids that end with the given one', () => {
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
