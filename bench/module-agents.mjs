/**
 * Users' code at work: module agents, an AI SDK agent, and nested hooks, each as a whole process.
 *
 *   node bench/module-agents.mjs [--rounds 3] [--only waits,sdk,hooks]
 *
 * `waits`: 1,000 calls of 50 ms at parallel 64, from the first call to the last result, against the ideal of 16 rounds.
 * `sdk`: an AI SDK agent at parallel 1 and 16. `hooks`: 16 cases whose hooks call each other 8 levels deep.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureProcess, printRows, repository } from './measure.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'waits,sdk,hooks' },
  },
})
const rounds = Number(values.rounds)
const wanted = values.only.split(',')

const folder = await mkdtemp(join(tmpdir(), 'viva-module-agents-'))
const cases = (count) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ id: `c${index}`, input: `hello ${index}` })}\n`,
  )

async function write(files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** The measured rounds, the fastest first. `played`: seconds from the begin of the first case to the last result. */
async function measure(...args) {
  const command = [process.execPath, join(repository, 'bin/viva.js'), 'test', '-o', 'x.jsonl', ...args]
  const measured = []
  for (let round = 0; round < rounds; round++) {
    const ended = await measureProcess(command, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
    const lines = (await readFile(join(folder, 'x.jsonl'), 'utf8')).trim().split('\n').map(JSON.parse)
    const results = lines.filter(({ type }) => type === 'result')
    const begin = Math.min(...results.map(({ started_at: at }) => Date.parse(at)))
    const end = Math.max(...results.map(({ started_at: at, duration_ms: ms }) => Date.parse(at) + ms))
    measured.push({ ...ended, played: (end - begin) / 1000 })
  }
  return measured.sort((one, other) => one.played - other.played)
}

const rows = [['', 'best s', 'worst s', 'ideal s', 'best / ideal', 'CPU s', 'peak MB', 'whole process s']]
function addRow(name, measured, ideal) {
  const [best] = measured
  const peak = Math.max(...measured.map(({ peakMb }) => peakMb))
  rows.push([
    name,
    best.played.toFixed(2),
    measured.at(-1).played.toFixed(2),
    ideal === undefined ? '' : ideal.toFixed(2),
    ideal === undefined ? '' : (best.played / ideal).toFixed(2),
    best.cpu.toFixed(1),
    peak.toFixed(0),
    best.seconds.toFixed(2),
  ])
}

const scenarios = {
  async waits() {
    await write({
      'waits.ts': `import { setTimeout } from 'node:timers/promises'
export default async (input: string): Promise<string> => { await setTimeout(50); return input }\n`,
      'waits.jsonl': cases(1000).join(''),
    })
    const args = ['-i', 'waits.jsonl', '-n', './waits.ts', '--parallel', '64']
    addRow(
      'module agent, 50 ms, 1,000 calls at 64',
      await measure(...args),
      (Math.ceil(1000 / 64) * 50) / 1000,
    )
  },

  async sdk() {
    await write({
      'sdk.ts': `import { setTimeout } from 'node:timers/promises'
import { ToolLoopAgent } from 'ai'
const model = {
  specificationVersion: 'v3', provider: 'bench', modelId: 'bench', supportedUrls: {},
  async doGenerate() {
    await setTimeout(50)
    const tokens = { total: 1 }
    return { content: [{ type: 'text', text: 'hello' }], finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: tokens, outputTokens: tokens }, warnings: [] }
  },
}
export default new ToolLoopAgent({ model: model as never, instructions: 'Be kind.' })\n`,
      'sdk.jsonl': cases(64).join(''),
    })
    for (const parallel of [1, 16]) {
      const args = ['-i', 'sdk.jsonl', '-n', './sdk.ts', '--parallel', String(parallel)]
      addRow(`AI SDK agent, 64 calls at ${parallel}`, await measure(...args), (64 / parallel) * 0.05)
    }
  },

  async hooks() {
    const depth = 8
    const level = (number) => ({
      [`hooks/assistants/level${number}/package.yao`]: '{"connector": "mind"}',
      [`hooks/assistants/level${number}/prompts.yml`]: '- {role: system, content: Be kind.}\n',
      [`hooks/assistants/level${number}/src/index.ts`]:
        number === depth
          ? 'function Create(): null { time.Sleep(200); return null }\n'
          : `function Create(ctx): null { ctx.agent.Call('level${number + 1}', [{ role: 'user', content: 'hi' }]); return null }\n`,
    })
    const levels = Array.from({ length: depth }, (_, index) => level(index + 1))
    await write({
      'hooks/app.yao': '{}',
      'hooks/connectors/mind.conn.yao': '{"type": "scripted", "options": {"rules": [{"reply": "hi"}]}}',
      ...Object.assign({}, ...levels),
      'hooks/cases.jsonl': cases(16).join(''),
    })
    const args = ['-i', 'hooks/cases.jsonl', '-n', 'level1', '--parallel', '16']
    addRow(`hooks, 16 cases × ${depth} deep`, await measure(...args))
  },
}

try {
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  for (const name of wanted) await scenarios[name]()
  console.log()
  printRows(rows)
} finally {
  await rm(folder, { recursive: true, force: true })
}
