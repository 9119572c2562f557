/**
 * The cost of a separate process per case, for agents with tools of a stateful MCP server. Each case asks a model twice,
 * with a tool call in between. The floor is one process that all cases share.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runViva, withRatios } from '../contenders.mjs'
import { repository, startServer } from '../measure.mjs'
import { connector, writeFiles } from '../project.mjs'
import { measureInTurn, round } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

const { cases, parallel, seconds, cpu, peakMb } = columnOf
export const columns = [
  cases,
  parallel,
  ['processes', ({ name }) => name],
  seconds,
  ['ratio to shared', columnOf.ratio[1]],
  cpu,
  peakMb,
  ['starts', ({ starts }) => String(starts)],
  ['CPU ms per start', ({ cpuMsPerStart }) => cpuMsPerStart?.toFixed(0) ?? ''],
]

const kinds = {
  shared: { shared: true },
  'one per case': {},
  'reset between cases': { reset: 'reset' },
}

export async function measure({ size, rounds, folder }) {
  const workload = { cases: size(64, 8), parallel: 8 }
  const server = await startServer(size(500, 100))
  try {
    const contenders = []
    for (const [name, settings] of Object.entries(kinds)) {
      const project = join(folder, name)
      await writeFiles(project, createApp(server, settings, workload.cases))
      contenders.push({ name, run: () => runApp(server, project, workload) })
    }
    const [shared, ...others] = withRatios(await measureInTurn(contenders, rounds))
    return [shared, ...others.map((row) => addCostOfStart(row, shared))].map((row) => ({
      ...workload,
      ...row,
    }))
  } finally {
    await server.close()
  }
}

async function runApp(server, project, { cases, parallel }) {
  const log = join(project, 'starts.log')
  await rm(log, { force: true })
  const flags = ['-i', 'cases.jsonl', '-n', 'desk', '-o', 'x.jsonl']
  const measured = await runViva(server, project, { calls: 2 * cases, parallel }, flags)
  return { ...measured, starts: (await readFile(log, 'utf8')).trim().split('\n').length }
}

function addCostOfStart(row, shared) {
  return { ...row, cpuMsPerStart: round(((row.cpu - shared.cpu) / (row.starts - shared.starts)) * 1000) }
}

function createApp(server, settings, cases) {
  return {
    'app.yao': {},
    'connectors/counter.conn.yao': connector(server, 'counter', { stream: false }),
    'assistants/desk/package.yao': { name: 'Desk', connector: 'counter', mcp: { servers: ['counter'] } },
    'mcps/counter.mcp.yao': {
      transport: 'stdio',
      command: process.execPath,
      arguments: [join(repository, 'test/fixtures/tools/counter.mjs')],
      env: { STARTS: 'starts.log' },
      ...settings,
    },
    'cases.jsonl': Array.from({ length: cases }, (_, index) => ({ id: `c${index}`, input: 'add' })),
  }
}
