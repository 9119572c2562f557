import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, results, viva } from './support/viva.ts'

const secret = 'abcdefgh12345'
const env = { MY_TOKEN: secret }
const agent = `exec:node agent.mjs ${secret}`
const answers =
  "import { createInterface } from 'node:readline'\n" +
  "createInterface({ input: process.stdin }).on('line', () => console.log('\"hello\"'))\n"

const hello = { id: 'hello', input: 'hi', assert: { type: 'contains', value: 'hello' } }
const bye = { id: 'bye', input: 'hi', assert: { type: 'contains', value: 'bye' } }

describe('secrets in names', () => {
  it('a secret in the name of the agent, the user or the file is shown nowhere', async () => {
    const cwd = project({ 'agent.mjs': answers, [`${secret}.jsonl`]: jsonl(hello, bye) })
    const args = ['test', '-i', `${secret}.jsonl`, '-n', agent, '-u', secret, '-o', 'x.jsonl', '-o', 'x.json']
    const { exitCode, stdout, stderr } = await viva([...args, '-v'], { cwd, env })
    const written = ['x.jsonl', 'x.json'].map((name) => readFileSync(join(cwd, name), 'utf8')).join()
    expect(stdout).toContain('Agent: exec:node agent.mjs [redacted]')
    expect(stdout).toContain("-n 'exec:node agent.mjs [redacted]'")
    expect(written).toContain('"user_id":"[redacted]"')
    expect(written + stdout + stderr).not.toContain(secret)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'hello', status: 'passed', file: '[redacted].jsonl' },
      { id: 'bye', status: 'failed' },
    ])
    expect(exitCode).toBe(1)
  })

  it('a run whose agent has a secret in its name can be resumed', async () => {
    const cwd = project({ 'agent.mjs': answers, 'cases.jsonl': jsonl(hello) })
    const args = ['test', '-i', 'cases.jsonl', '-n', agent]
    await viva([...args, '-o', 'x.jsonl'], { cwd, env })
    const { exitCode, stdout } = await viva([...args, '--resume', 'x.jsonl'], { cwd, env })
    expect(stdout).toContain('1 result already exists')
    expect(exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl'))).toHaveLength(1)
  })

  it('two agents that differ only in a secret are refused', async () => {
    const cwd = project({ 'agent.mjs': answers, 'cases.jsonl': jsonl(hello) })
    const other = 'abcdefgh67890'
    const args = ['test', '-i', 'cases.jsonl', '-n', agent, '-n', `exec:node agent.mjs ${other}`]
    const { exitCode, stderr } = await viva(args, { cwd, env: { ...env, OTHER_TOKEN: other } })
    expect(stderr).toContain('hello with exec:node agent.mjs [redacted] is the name of two results')
    expect(exitCode).toBe(2)
  })

  it('a secret is redacted in error messages', async () => {
    const cwd = project({ 'cases.jsonl': jsonl(hello) })
    const args = ['test', '-i', 'cases.jsonl', '-n', `exec:nosuch --token ${secret}`]
    const { exitCode, stderr } = await viva(args, { cwd, env })
    expect(stderr).toContain('exec:nosuch --token [redacted]')
    expect(stderr).not.toContain(secret)
    expect(exitCode).toBe(2)
  })
})

describe('secrets in replies', () => {
  const secretVariables = {
    DATABASE_URL: 'postgres://app:hunter2hunter2@db.internal:5432/shop',
    AWS_ACCESS_KEY_ID: 'AKIA0123456789ABCDEF',
    SMTP_PASS: 'correct-horse',
  }
  const elsewhere = 'redis://:n0tInTheEnv@cache:6379'

  it('secrets of the environment and credentials in URLs are redacted in every file and output', async () => {
    const cwd = project({
      'agent.mjs': `export default () => JSON.stringify([${Object.keys(secretVariables)
        .map((name) => `process.env.${name}`)
        .join()}, 'hunter2hunter2', '${elsewhere}'])\n`,
      'cases.jsonl': jsonl(bye),
    })
    const files = ['x.jsonl', 'x.json', 'x.html', 'x.md', 'x.xml', 'x.txt']
    const outputs = files.flatMap((file) => ['-o', file])
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-v', ...outputs]
    const { exitCode, stdout, stderr } = await viva(args, { cwd, env: secretVariables })
    expect(exitCode).toBe(1)
    expect(results(join(cwd, 'x.jsonl'))[0]?.output).toBe(
      JSON.stringify([
        '[redacted]',
        '[redacted]',
        '[redacted]',
        '[redacted]',
        'redis://[redacted]@cache:6379',
      ]),
    )
    const all = [stdout, stderr, ...files.map((name) => readFileSync(join(cwd, name), 'utf8'))].join()
    for (const value of [...Object.values(secretVariables), 'hunter2', 'n0tInTheEnv'])
      expect(all).not.toContain(value)
  })
})

describe('secrets that are written for MCP servers', () => {
  const literal = 'literal-secret-123456'
  const broken = 'console.error(`my token is ${process.env.API_TOKEN}`)\nprocess.exit(1)\n'
  const command = { command: process.execPath, env: { API_TOKEN: literal, MODE: 'my token' } }
  const script = { type: 'scripted', options: { rules: [{ reply: 'hello' }] } }

  it.each([
    [
      'in the config',
      {
        'viva.config.json': JSON.stringify({
          connectors: { script },
          agents: { desk: { connector: 'script', mcp: { shop: { ...command, args: ['server.mjs'] } } } },
        }),
      },
    ],
    [
      'in a file of the app',
      {
        'app.yao': '{}',
        'connectors/script.conn.yao': JSON.stringify(script),
        'mcps/shop.mcp.yao': JSON.stringify({ transport: 'stdio', ...command, arguments: ['server.mjs'] }),
        'assistants/desk/package.yao': JSON.stringify({
          name: 'Desk',
          connector: 'script',
          mcp: { servers: ['shop'] },
        }),
      },
    ],
  ])('are redacted where they are %s', async (_, files) => {
    const cwd = project({ 'server.mjs': broken, 'cases.jsonl': jsonl(hello), ...files })
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'desk', '-v', '-o', 'x.jsonl'], { cwd })
    expect(run.stdout).toContain('my token is [redacted]')
    const written = readFileSync(join(cwd, 'x.jsonl'), 'utf8')
    const { stdout, stderr } = await viva(['agents', '--check'], { cwd })
    expect(run.stdout + run.stderr + written + stdout + stderr).not.toContain(literal)
  })
})
