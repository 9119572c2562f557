import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { viva } from '../support/command.ts'
import { readAllReportData } from '../support/html-report.ts'
import { jsonl } from '../support/lines.ts'
import { faultText } from './fault.ts'
import type { Part, PartRun } from './part.ts'
import { withFolder } from './workspace.ts'

/** Secrets by the name of their variable. */
const variables: Record<string, string> = {
  OPENAI_API_KEY: 'sk-canary0openai0key',
  SERVICE_TOKEN: 'canary1service1token',
  AWS_ACCESS_KEY_ID: 'AKIACANARY2KEY2ID',
  SMTP_PASS: 'canary3smtp3pass',
  DATABASE_URL: 'postgres://app:canary4database@db.example/app',
  REDIS_ADDRESS: 'redis://:canary5redis@cache.example:6379',
}
const inAddress = { password: 'canary6address', query: 'canary7query' }
const inConnector = 'canary8connector'

/** What must not be found anywhere: for an address, its password. */
const canaries = [...Object.values(variables), ...Object.values(inAddress), inConnector].map(
  (value) => /:([^:@/]*canary[^:@/]*)@/.exec(value)?.[1] ?? value,
)

const reports = ['r.jsonl', 'r.json', 'r.xml', 'r.md', 'r.txt', 'r.html']

export const canary: Part = {
  about: 'keys in the environment, in addresses and in connectors, repeated by agents and providers',
  counts: {},
  async run(run) {
    const { port } = new URL(run.server.url)
    const address = `127.0.0.1:${port}`
    const withPassword = `http://ada:${inAddress.password}@${address}`
    const agents = {
      module: './agent.mjs',
      model: `openai:${withPassword}/v1#m`,
      http: `${withPassword}/agent?api_key=${inAddress.query}`,
      headers: 'headers',
      package: 'desk',
    }
    for (const [name, agent] of Object.entries(agents)) {
      run.progress(name)
      await playAndSearch(run, name, agent, `http://${address}`)
    }
  },
}

function files(origin: string): Record<string, string> {
  const connector = { type: 'openai', options: { model: 'm', host: `${origin}/v1`, key: inConnector } }
  const headers = { url: `${origin}/agent`, headers: { 'x-api-key': '{{env.SERVICE_TOKEN}}' } }
  return {
    'cases.jsonl': jsonl(
      { id: 'echo', input: faultText({ status: 401, echo: true }) },
      { id: 'leak', input: 'leak', assert: { type: 'equals', value: 'nothing' } },
      { id: 'throw', input: 'throw' },
    ),
    // An agent is the user's own program: it knows its keys and repeats them.
    'agent.mjs': `export default (input) => {
      const all = ${JSON.stringify(Object.keys(variables))}.map((name) => process.env[name]).join(' ')
      console.log(all)
      if (input === 'throw') throw new Error(all)
      return { content: all, output: { [all]: all }, tool_calls: [{ name: 'leak', arguments: { all } }] }
    }\n`,
    'app.yao': '{}',
    'assistants/desk/package.yao': JSON.stringify({ connector: 'c' }),
    'assistants/desk/prompts.yml': '- {role: system, content: Help.}',
    'connectors/c.conn.yao': JSON.stringify(connector),
    'viva.config.json': JSON.stringify({ agents: { headers } }),
    'home/.keep': '',
    'tmp/.keep': '',
  }
}

async function playAndSearch(
  { card, long }: PartRun,
  name: string,
  agent: string,
  origin: string,
): Promise<void> {
  const own = files(origin)
  await withFolder(own, async (cwd) => {
    const env = { ...variables, HOME: join(cwd, 'home'), TMPDIR: join(cwd, 'tmp') }
    const args = ['test', '-i', 'cases.jsonl', '-n', agent]
    const told = await viva([...args, '-v', ...reports.flatMap((report) => ['-o', report])], { cwd, env })
    const isMore = long || name === 'module'
    const events = isMore ? await viva([...args, '--json', '-o', 'e.jsonl'], { cwd, env }) : undefined
    const streams = { ...named(told, 'run'), ...(events && named(events, 'events')) }
    const written = Object.fromEntries(
      artefacts(cwd, Object.keys(own)).map((path) => [path, readContent(cwd, path)]),
    )
    // If no text has the canary, redaction was not tested.
    const isSaid = written['r.jsonl']?.includes('[redacted]') ?? false
    const where = `${name} in ${cwd}`
    const kept = [card.check('the canary occurs and is redacted', isSaid, `${where}: ${told.stderr}`)]
    for (const [artefact, text] of Object.entries({ ...streams, ...written })) {
      const found = canaries.filter((secret) => encodeSecret(secret).some((form) => text.includes(form)))
      const said = `${where}: ${artefact} holds ${found.join(', ')}`
      kept.push(card.check('the canary is in no output', found.length === 0, said))
    }
    return kept.every(Boolean)
  })
}

function named({ stdout, stderr }: { stdout: string; stderr: string }, name: string): Record<string, string> {
  return { [`stdout of the ${name}`]: stdout, [`stderr of the ${name}`]: stderr }
}

/** All files in the folder that the project did not have before. */
function artefacts(cwd: string, own: readonly string[]): string[] {
  return readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !own.includes(path) && statSync(join(cwd, path)).isFile(),
  )
}

/** The content as a reader sees it: a page has compressed data. */
function readContent(cwd: string, path: string): string {
  const text = readFileSync(join(cwd, path), 'utf8')
  return path.endsWith('.html') ? text + readAllReportData(join(cwd, path)) : text
}

/** The secret itself, and as in a header for basic authentication. */
function encodeSecret(secret: string): string[] {
  return [secret, Buffer.from(secret).toString('base64'), Buffer.from(`ada:${secret}`).toString('base64')]
}
