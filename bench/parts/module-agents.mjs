/** Users' code at work: a module agent, an AI SDK agent, and hooks that call each other many levels deep. */
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { vivaCommand } from '../contenders.mjs'
import { measureProcess, repository } from '../measure.mjs'
import { writeFiles } from '../project.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

const { name, cpu, peakMb } = columnOf
const twoDigits = (value) => (value === undefined ? '' : value.toFixed(2))
export const columns = [
  name,
  ['s, first call to last result', ({ playedSeconds }) => twoDigits(playedSeconds)],
  ['ideal s', ({ idealSeconds }) => twoDigits(idealSeconds)],
  [
    'ratio to ideal',
    ({ playedSeconds, idealSeconds }) => twoDigits(idealSeconds && playedSeconds / idealSeconds),
  ],
  cpu,
  peakMb,
]

const waitSeconds = 0.05
const depth = 8

export async function measure({ size, rounds, folder }) {
  const calls = size(1000, 128)
  await writeFiles(folder, { ...waiting(calls), ...sdkAgent, ...nestedHooks() })
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const contenders = [
    play(folder, `module agent, ${calls} calls at 64`, 'waits.jsonl', './waits.ts', 64, calls),
    play(folder, 'AI SDK agent, 64 calls at 1', 'sdk.jsonl', './sdk.ts', 1, 64),
    play(folder, 'AI SDK agent, 64 calls at 16', 'sdk.jsonl', './sdk.ts', 16, 64),
    play(folder, `hooks, 16 cases, ${depth} levels deep`, 'hooks/cases.jsonl', 'level1', 16),
  ]
  return measureInTurn(contenders, rounds)
}

/** `calls`: how many calls wait, where the ideal time is known. */
function play(folder, name, input, agent, parallel, calls) {
  const idealSeconds = calls === undefined ? {} : { idealSeconds: Math.ceil(calls / parallel) * waitSeconds }
  const run = async () => {
    const command = [...vivaCommand, 'test', '-i', input, '-n', agent, '--parallel', String(parallel)]
    const ended = await measureProcess([...command, '-o', 'x.jsonl'], { cwd: folder })
    return { ...ended, ...idealSeconds, playedSeconds: await readPlayedSeconds(join(folder, 'x.jsonl')) }
  }
  return { name, run }
}

/** From the begin of the first case to the end of the last one. */
async function readPlayedSeconds(journal) {
  const lines = (await readFile(journal, 'utf8')).trim().split('\n').map(JSON.parse)
  const results = lines.filter(({ type }) => type === 'result')
  const begin = Math.min(...results.map(({ started_at: at }) => Date.parse(at)))
  const end = Math.max(...results.map(({ started_at: at, duration_ms: ms }) => Date.parse(at) + ms))
  return (end - begin) / 1000
}

function smokeTests(count) {
  return Array.from({ length: count }, (_, index) => ({ id: `c${index}`, input: `hello ${index}` }))
}

function waiting(calls) {
  return {
    'waits.ts': `import { setTimeout } from 'node:timers/promises'
export default async (input: string): Promise<string> => { await setTimeout(50); return input }\n`,
    'waits.jsonl': smokeTests(calls),
  }
}

const sdkAgent = {
  'sdk.ts': `import { setTimeout } from 'node:timers/promises'
import { ToolLoopAgent } from 'ai'
const model = {
  specificationVersion: 'v3', provider: 'bench', modelId: 'bench', supportedUrls: {},
  async doGenerate() {
    await setTimeout(50)
    const tokens = { total: 1 }
    const usage = { inputTokens: tokens, outputTokens: tokens }
    const finishReason = { unified: 'stop', raw: 'stop' }
    return { content: [{ type: 'text', text: 'hello' }], finishReason, usage, warnings: [] }
  },
}
export default new ToolLoopAgent({ model: model as never, instructions: 'Be kind.' })\n`,
  'sdk.jsonl': smokeTests(64),
}

/** Agents whose hooks call the next one: all threads are blocked until the last one answers. */
function nestedHooks() {
  const files = {
    'hooks/app.yao': {},
    'hooks/connectors/mind.conn.yao': { type: 'scripted', options: { rules: [{ reply: 'hi' }] } },
    'hooks/cases.jsonl': smokeTests(16),
  }
  for (let level = 1; level <= depth; level++) {
    const assistant = `hooks/assistants/level${level}`
    files[`${assistant}/package.yao`] = { connector: 'mind' }
    files[`${assistant}/prompts.yml`] = '- {role: system, content: Be kind.}\n'
    files[`${assistant}/src/index.ts`] =
      level === depth
        ? 'function Create(): null { time.Sleep(200); return null }\n'
        : `function Create(ctx): null { ctx.agent.Call('level${level + 1}', [{ role: 'user', content: 'hi' }]); return null }\n`
  }
  return files
}
