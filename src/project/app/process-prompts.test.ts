import { describe, expect, it } from 'vitest'
import { openEcho, processServer } from '../../../test/support/mcp-app.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'

const scope = createPlainScope()

describe('processPrompts', () => {
  const file = processServer({ prompts: { greet: 'scripts.echo.Greet' } })
  const app = (prompt: unknown) => ({
    'mcps/echo.mcp.yao': file,
    'mcps/mapping/echo/prompts/greet.pmt.yao': prompt,
  })
  const greet = {
    name: 'greeting',
    description: 'Greets',
    arguments: [{ name: 'name', description: 'Whom', required: true }, { name: 'tone' }],
    messages: [
      { role: 'assistant', content: { type: 'image', data: 'AAEC' } },
      {
        role: 'user',
        content: { type: 'text', text: 'Greet {{name}}{{#if tone}} in a {{tone}} tone{{/if}}.' },
      },
    ],
  }

  it('lists the prompts', async () => {
    expect(await openEcho(app(greet)).extras.prompts(scope)).toEqual([
      { name: 'greet', description: 'Greets', arguments: greet.arguments },
    ])
  })

  it('fills in arguments', async () => {
    const { extras } = openEcho(app(greet))
    const filled = await extras.prompt('greet', { name: 'Ann', tone: 'warm' }, scope)
    expect(filled).toEqual({
      description: 'Greets',
      messages: [
        greet.messages[0],
        { role: 'user', content: { type: 'text', text: 'Greet Ann in a warm tone.' } },
      ],
    })
    const plain = await extras.prompt('greet', { name: 'Bob' }, scope)
    expect(plain.messages[1]?.content.text).toBe('Greet Bob.')
  })

  it.each([{ template: 'Hi {{name}}' }, { messages: [{ role: 'user', content: 'Hi {{name}}' }] }])(
    'accepts a prompt that is one text: %j',
    async (written) => {
      expect(await openEcho(app(written)).extras.prompt('greet', { name: 'Ann' }, scope)).toEqual({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi Ann' } }],
      })
    },
  )

  it.each([{}, { name: undefined }, { name: null, tone: 'warm' }])(
    'fails without a required argument: %j',
    async (args) => {
      await expect(openEcho(app(greet)).extras.prompt('greet', args, scope)).rejects.toMatchObject({
        name: 'ToolError',
        message: 'prompt greet of MCP server echo needs "name"',
      })
    },
  )

  it('lists the known prompts for an unknown one', async () => {
    await expect(openEcho(app(greet)).extras.prompt('bow', {}, scope)).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'MCP server echo has no prompt "bow" (it has: greet)',
    })
  })

  it.each<[string, unknown, string]>([
    ['no messages', {}, 'mcps/echo.mcp.yao: MCP server echo: prompt greet: there are no messages'],
    [
      'a wrong message',
      { messages: [{ content: 'x' }] },
      'MCP server echo: prompt greet: messages[0].role is missing',
    ],
    [
      'an open condition',
      { template: '{{#if a}}' },
      'MCP server echo: prompt greet: {{#if}} without an {{/if}}',
    ],
    [
      'a value that is not an object',
      '7',
      'MCP server echo: the description of prompt greet is not an object',
    ],
  ])('rejects a prompt with %s', (_, written, message) => {
    expect(() => openEcho(app(written))).toThrow(message)
  })

  it('rejects a prompt without a file', () => {
    expect(() => openEcho({ 'mcps/echo.mcp.yao': file })).toThrow(
      'MCP server echo: prompt greet has no description: there is no mapping/echo/prompts/greet.pmt.yao',
    )
  })
})
