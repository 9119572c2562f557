/** What workers on Redis add to a run: how they share its work, what the coordinator needs for it, and what Redis. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runViva, vivaCommand, withKey } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { writeFiles } from '../project.mjs'
import { startRedis } from '../redis.mjs'
import { measureInTurn, round } from '../rounds.mjs'
import { columnOf } from '../table.mjs'
import { trivialCases } from '../trivial-cases.mjs'

const { workload, name, seconds, cpu, peakMb } = columnOf
export const columns = [
  workload,
  name,
  seconds,
  ['times one worker', ({ speed }) => speed?.toFixed(2) ?? ''],
  ['CPU s of `viva test`', cpu[1]],
  ['ms CPU per case, without the start', ({ cpuMs }) => cpuMs?.toFixed(2) ?? ''],
  ['peak MB of `viva test`', peakMb[1]],
  ['ms CPU per case of all workers', ({ workersMs }) => workersMs?.toFixed(2) ?? ''],
  ['bytes of results per case', ({ journalBytes }) => journalBytes?.toFixed(0) ?? ''],
  ['bytes of Redis per waiting job', ({ bytes }) => bytes?.toFixed(0) ?? ''],
]

/** How many cases a worker plays at once. */
const concurrency = 4

export async function measure({ size, rounds, folder }) {
  const redis = await startRedis(folder)
  await writeFiles(folder, { 'viva.config.json': {} })
  try {
    return [
      ...(await measureSpeed(redis, folder, size(10_000, 200))),
      ...(await measureCost(redis, folder, [size(1000, 100), size(10_000, 200), size(30_000, 400)], rounds)),
      await measureWaiting(redis, folder),
    ]
  } finally {
    await redis.stop()
  }
}

/** A slow agent: four workers against one. */
async function measureSpeed(redis, folder, cases) {
  const server = await startServer(50)
  const rows = []
  const measureOnce = async (sized) =>
    (await measureInTurn([await queued({ redis, folder, server, ...sized })], 1))[0]
  try {
    const start = await measureOnce({ cases: 1, workers: 1 })
    for (const workers of [1, 4]) {
      const row = await measureOnce({ cases, workers })
      rows.push({ ...row, cases, latency: 50, cpuMs: cpuWithoutStart(row, start, cases) })
    }
  } finally {
    await server.close()
  }
  const [one] = rows
  return rows.map((row) => ({ ...row, speed: round(one.seconds / row.seconds) }))
}

/** An agent that answers at once: what the coordinator does for a job, and whether its memory grows with their number. */
async function measureCost(redis, folder, sizes, rounds) {
  const server = await startServer(0)
  const rows = []
  try {
    const starts = await measureSize({ redis, folder, server, cases: 1 }, rounds)
    for (const cases of sizes)
      for (const [place, row] of (await measureSize({ redis, folder, server, cases }, rounds)).entries())
        rows.push({ ...row, cases, latency: 0, cpuMs: cpuWithoutStart(row, starts[place], cases) })
  } finally {
    await server.close()
  }
  return rows
}

/** What a case costs `viva test` itself, in ms. */
function cpuWithoutStart(row, start, cases) {
  return round((1000 * (row.cpu - start.cpu)) / (cases - 1))
}

async function measureSize(sized, rounds) {
  return measureInTurn([await local(sized), await queued({ ...sized, workers: 2 })], rounds)
}

async function local({ folder, server, cases }) {
  const flags = await caseFlags(folder, server, cases)
  return { name: 'no queue', run: () => runViva(server, folder, { calls: cases, parallel: 8 }, flags) }
}

async function queued({ redis, folder, server, cases, workers }) {
  const flags = await caseFlags(folder, server, cases)
  return {
    name: `${workers} ${workers === 1 ? 'worker' : 'workers'} × ${concurrency}`,
    async run() {
      const url = redis.nextQueue()
      const started = await Promise.all(
        Array.from({ length: workers }, () => startWorker(folder, url, server)),
      )
      try {
        const expected = { calls: cases, parallel: workers * concurrency }
        const before = sum(started.map((worker) => worker.cpuMs()))
        const run = await runViva(server, folder, expected, [...flags, '--queue', url])
        const workersMs = (sum(started.map((worker) => worker.cpuMs())) - before) / cases
        const { size } = await stat(join(folder, 'x.jsonl'))
        return { ...run, workersMs, journalBytes: size / cases }
      } finally {
        await Promise.all(started.map((worker) => worker.stop()))
      }
    },
  }
}

/** Jobs that no worker takes: so many are in Redis at once, and they need so much of its memory. */
async function measureWaiting(redis, folder) {
  const flags = await caseFlags(folder, { url: 'http://127.0.0.1:9' }, 1000)
  const before = await redis.usedBytes()
  const command = [...vivaCommand, 'test', ...flags, '--queue', redis.nextQueue(), '--worker-timeout', '1m']
  const child = spawn(command[0], command.slice(1), { cwd: folder, env: withKey, stdio: 'ignore' })
  let [jobs, earlier] = [0, -1]
  while (jobs === 0 || jobs !== earlier) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    earlier = jobs
    jobs = await redis.waitingJobs()
  }
  const bytes = (await redis.usedBytes()) - before
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { name: 'no worker', cases: jobs, latency: 0, bytes: round(bytes / jobs) }
}

async function caseFlags(folder, server, cases) {
  const file = `${cases}.jsonl`
  await writeFiles(folder, { [file]: trivialCases(cases) })
  return ['-i', file, '-n', `openai:${server.url}#bench`, '-o', 'x.jsonl']
}

/** Ready when it says so. */
async function startWorker(folder, url, server) {
  const flags = ['--queue', url, '--concurrency', String(concurrency), '-n', `openai:${server.url}#bench`]
  const [node, ...viva] = vivaCommand
  const child = spawn(node, [...viva, 'worker', ...flags], { cwd: folder, env: withKey })
  await once(child.stdout, 'data')
  child.stdout.resume()
  return {
    cpuMs: () => readCpuMs(child.pid),
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Of a process that has no others. A tick of Linux takes 10 ms. */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
