import { describe, expect, it } from 'vitest'
import { readMcpFile } from './mcp-file.ts'
import { sampleArguments } from './sample-arguments.ts'

describe('a .mcp.json', () => {
  it('keys are named, and never copied', () => {
    const { written, values } = readMcpFile(
      JSON.stringify({
        mcpServers: {
          'my shop': {
            command: 'npx',
            args: ['shop', '--api-key=abc', '--token', 'def', '--region', 'eu', '${HOME}/x'],
            env: { SHOP_TOKEN: 'ghi', REGION: 'eu', OTHER_KEY: '${OTHER_KEY:-none}' },
          },
          remote: { type: 'sse', url: 'https://mcp.test/sse', headers: { Authorization: 'Bearer jkl' } },
        },
      }),
      '.mcp.json',
    )
    expect(written).toEqual({
      'my-shop': {
        command: 'npx',
        args: [
          'shop',
          '--api-key=$ENV.MY_SHOP_API_KEY',
          '--token',
          '$ENV.MY_SHOP_TOKEN',
          '--region',
          'eu',
          '$ENV.HOME/x',
        ],
        env: { SHOP_TOKEN: '$ENV.SHOP_TOKEN', REGION: 'eu', OTHER_KEY: '$ENV.OTHER_KEY' },
      },
      remote: {
        url: 'https://mcp.test/sse',
        transport: 'sse',
        headers: { Authorization: '$ENV.REMOTE_AUTHORIZATION' },
      },
    })
    expect(values).toEqual({
      MY_SHOP_API_KEY: 'abc',
      MY_SHOP_TOKEN: 'def',
      SHOP_TOKEN: 'ghi',
      REMOTE_AUTHORIZATION: 'Bearer jkl',
    })
  })
})

describe('sample arguments', () => {
  it('they have what the schema requires, and say whether something is made up', () => {
    expect(
      sampleArguments({
        type: 'object',
        properties: {
          id: { type: 'string' },
          day: { type: 'string', format: 'date' },
          size: { enum: ['small', 'large'] },
          count: { type: 'integer', minimum: 3 },
          address: { type: 'object', properties: { city: { default: 'Bern' } }, required: ['city'] },
          tags: { type: 'array', minItems: 1, items: { type: 'boolean' } },
          note: { type: 'string' },
        },
        required: ['id', 'day', 'size', 'count', 'address', 'tags'],
      }),
    ).toEqual({
      value: {
        id: 'example',
        day: '2026-01-01',
        size: 'small',
        count: 3,
        address: { city: 'Bern' },
        tags: [false],
      },
      isMadeUp: true,
    })
    expect(sampleArguments({ type: 'object' })).toEqual({ value: {}, isMadeUp: false })
  })
})
