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
      {},
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
      OTHER_KEY: 'none',
      SHOP_TOKEN: 'ghi',
      REMOTE_AUTHORIZATION: 'Bearer jkl',
    })
  })

  const readServers = (mcpServers: object, env: Record<string, string> = {}) =>
    readMcpFile(JSON.stringify({ mcpServers }), '.mcp.json', env)

  it.each([
    ['postgresql://u:PASSWORD@h/db', '$ENV.DB_ARGUMENT'],
    ['postgresql://u:pa/PASSWORD@h/db', '$ENV.DB_ARGUMENT'],
    ['Authorization: Bearer PASSWORD', 'Authorization: $ENV.DB_AUTHORIZATION'],
    ['--header=Authorization: Bearer PASSWORD', '--header=$ENV.DB_HEADER'],
    ['SOME_API_KEY=PASSWORD', 'SOME_API_KEY=$ENV.DB_SOME_API_KEY'],
    ['REGION=sk-PASSWORD', 'REGION=$ENV.DB_REGION'],
    ['Server=h;Password=PASSWORD', 'Server=$ENV.DB_SERVER'],
    ['{"apiKey": "PASSWORD"}', '$ENV.DB_ARGUMENT'],
    ['ghp_PASSWORD', '$ENV.DB_ARGUMENT'],
    ['PASSWORD0123456789abcdefgh', '$ENV.DB_ARGUMENT'],
    ['https://u:PASSWORD@h.test/mcp', 'https://$ENV.DB_CREDENTIALS@h.test/mcp'],
    ['https://h.test/mcp?region=eu&apiKey=PASSWORD', 'https://h.test/mcp?region=eu&apiKey=$ENV.DB_API_KEY'],
    ['https://h.test/s/PASSWORD0123456789abcdefgh/mcp', 'https://h.test/s/$ENV.DB_ARGUMENT_PATH/mcp'],
  ])('of the argument %s, only %s is written', (arg, expected) => {
    const { written, values } = readServers({ db: { command: 'db', args: [arg] } })
    expect(written).toEqual({ db: { command: 'db', args: [expected] } })
    // What is moved out comes back when the server is started.
    const filled = expected.replace(/\$ENV\.(\w+)/, (_, name: string) => values[name] ?? '')
    expect(filled).toBe(arg)
  })

  it('arguments without a secret stay as they are', () => {
    const args = ['-y', '@modelcontextprotocol/server-filesystem@2025.1.14', '/home/ada/projects/2024']
    args.push('--region=eu', 'DEBUG=true', '--max-tokens', '4096', 'https://h.test/@ada/mcp?page=2')
    args.push('Bearer ${TOKEN}', 'postgresql://u:${PASSWORD}@h/db')
    const { written, values } = readServers({ db: { command: 'npx', args } })
    const expected = args.map((arg) => arg.replace(/\$\{(\w+)\}/, '$ENV.$1'))
    expect(written).toEqual({ db: { command: 'npx', args: expected } })
    expect(values).toEqual({})
  })

  it('the address of a server keeps no credentials and no key', () => {
    const url = 'https://ada:PASSWORD@h.test/${TENANT}/mcp?access_token=PASSWORD2'
    const { written, values } = readServers({ remote: { url } }, { TENANT: 'acme' })
    expect(written).toEqual({
      remote: {
        url: 'https://$ENV.REMOTE_CREDENTIALS@h.test/$ENV.TENANT/mcp?access_token=$ENV.REMOTE_ACCESS_TOKEN',
      },
    })
    expect(values).toEqual({ REMOTE_CREDENTIALS: 'ada:PASSWORD', REMOTE_ACCESS_TOKEN: 'PASSWORD2' })
  })

  it('two servers with different values for one variable get a variable each', () => {
    const { written, values } = readServers({
      one: { command: 'one', env: { API_KEY: 'a' } },
      two: { command: 'two', env: { API_KEY: 'b' } },
      same: { command: 'same', env: { API_KEY: 'a' } },
    })
    expect(written).toMatchObject({
      one: { env: { API_KEY: '$ENV.API_KEY' } },
      two: { env: { API_KEY: '$ENV.TWO_API_KEY' } },
      same: { env: { API_KEY: '$ENV.API_KEY' } },
    })
    expect(values).toEqual({ API_KEY: 'a', TWO_API_KEY: 'b' })
  })

  it('a variable of the environment with another value is not used in place of the one in the file', () => {
    const servers = { one: { command: 'one', env: { API_KEY: 'a' } } }
    expect(readServers(servers, { API_KEY: 'b' }).values).toEqual({ ONE_API_KEY: 'a' })
    expect(readServers(servers, { API_KEY: 'a' }).values).toEqual({ API_KEY: 'a' })
    // The second server expects it of the environment, and must not get that of the first.
    const both = { ...servers, two: { command: 'two', env: { KEY: '${API_KEY}' } } }
    expect(readServers(both).values).toEqual({ ONE_API_KEY: 'a' })
  })

  it('a default is kept unless the variable is set, also in an address', () => {
    const servers = {
      a: { command: 'a', args: ['${REGION:-eu}'] },
      b: { url: '${BASE}/${REGION:-eu}/${TENANT}' },
    }
    const env = { BASE: 'https://b.test' }
    expect(readServers(servers, env).written).toEqual({
      a: { command: 'a', args: ['eu'] },
      b: { url: 'https://b.test/eu/$ENV.TENANT' },
    })
    expect(readServers(servers, { ...env, REGION: 'us' }).written).toEqual({
      a: { command: 'a', args: ['$ENV.REGION'] },
      b: { url: 'https://b.test/$ENV.REGION/$ENV.TENANT' },
    })
  })

  it('a server of an unknown kind is left out with a note', () => {
    const { written, notes } = readServers({ odd: { type: 'ws', url: 'ws://h' }, fine: { command: 'fine' } })
    expect(written).toEqual({ fine: { command: 'fine' } })
    expect(notes).toEqual(['MCP server odd has neither a command nor an http(s) url: it is left out.'])
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
