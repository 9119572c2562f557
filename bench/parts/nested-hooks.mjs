/** Agents whose hooks call other agents with hooks: what each level costs, compared with the bare calls of the model. */
import { bareUndici, runViva, withRatios } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { connector, writeFiles } from '../project.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf } from '../table.mjs'
import { trivialCases } from '../trivial-cases.mjs'

const { workload, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy } = columnOf
export const columns = [workload, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy]

const levels = [
  'no hooks',
  'hooks',
  'hooks that call an agent',
  'hooks that call an agent that calls an agent',
]

export async function measure({ size, rounds, folder }) {
  const workload = { cases: size(500, 50), latency: 50, parallel: 16 }
  const calls = { calls: workload.cases, parallel: workload.parallel }
  const server = await startServer(workload.latency)
  try {
    await writeFiles(folder, { ...createApp(server), 'cases.jsonl': trivialCases(workload.cases) })
    const contenders = levels.map((name, level) => ({
      name,
      run: () =>
        runViva(server, folder, calls, ['-i', 'cases.jsonl', '-n', `level${level}`, '-o', 'x.jsonl']),
    }))
    const rows = withRatios(await measureInTurn([bareUndici(server, workload), ...contenders], rounds))
    return rows.map((row) => ({ ...workload, ...row }))
  } finally {
    await server.close()
  }
}

/** The agent of level 0 asks the model, that of level 1 has hooks too, and those above only ask the agent below. */
function createApp(server) {
  const prompts = '- role: system\n  content: Be kind.\n'
  const files = { 'app.yao': {}, 'connectors/bench.conn.yao': connector(server, 'bench') }
  for (const level of levels.keys()) {
    const assistant = `assistants/level${level}`
    files[`${assistant}/package.yao`] = { name: `Level ${level}`, connector: 'bench' }
    if (level < 2) files[`${assistant}/prompts.yml`] = prompts
    if (level > 0) files[`${assistant}/src/index.ts`] = level === 1 ? plainHooks : callingHooks(level - 1)
  }
  return files
}

const plainHooks = `
function Create(ctx, messages) { return { messages } }
function Next(ctx, { completion }) { return { data: completion.content } }
`

const callingHooks = (below) => `
function Create(ctx, messages) { return { messages } }
function Next(ctx, { messages }) { return { data: ctx.agent.Call('level${below}', messages).content } }
`
