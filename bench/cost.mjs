/**
 * What one trivial case costs: CPU time and allocated memory per case, which differ little from run to run even on a busy
 * machine. Compared with the figures of bench/cost.json, which `--update` replaces.
 *
 *   npm run build && node bench/cost.mjs [--update] [--cases 5000]
 *
 * Always exits with 0: a higher figure is a warning, not a failed test.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchKey, measureProcess, printRows, repository, startServer } from './measure.mjs'
import { trivialCases } from './trivial-cases.mjs'

const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, cases: { type: 'string', default: '5000' } },
})
/** The start of the command is left out by comparing two runs of different length. */
const short = 1000
const long = short + Number(values.cases)
/** A figure that exceeds the kept one by this share is worth a warning. */
const tolerated = { 'KB allocated': 0.1, 'CPU ms': 0.25 }

const kept = fileURLToPath(new URL('cost.json', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'viva-cost-'))
const server = await startServer(0)
try {
  const figures = await costPerCase()
  const before = readKept()
  printRows([
    ['per case', 'now', 'kept'],
    ...Object.entries(figures).map(([name, value]) => [name, String(value), String(before[name] ?? '')]),
  ])
  for (const [name, share] of Object.entries(tolerated)) {
    if (figures[name] > before[name] * (1 + share))
      console.log(`warning: ${name} per case rose from ${before[name]} to ${figures[name]}`)
  }
  if (values.update) writeFileSync(kept, `${JSON.stringify(figures, null, 2)}\n`)
} finally {
  server.close()
  await rm(folder, { recursive: true, force: true })
}

function readKept() {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return {}
  }
}

async function costPerCase() {
  const [few, many] = [await runCases(short), await runCases(long)]
  const perCase = (figure) => (figure(many) - figure(few)) / (long - short)
  return {
    'KB allocated': round(perCase(({ printed }) => allocatedKb(printed))),
    'CPU ms': round(perCase(({ cpu }) => cpu * 1000)),
  }
}

async function runCases(count) {
  const input = join(folder, `${count}.jsonl`)
  await writeFile(input, trivialCases(count))
  for (const name of ['x.jsonl', '.viva']) await rm(join(folder, name), { recursive: true, force: true })
  const viva = [join(repository, 'bin/viva.js'), 'test', '-i', input, '-n', `openai:${server.url}#bench`]
  const how = ['--parallel', '16', '-o', join(folder, 'x.jsonl')]
  return measureProcess([process.execPath, '--trace-gc', ...viva, ...how], {
    cwd: folder,
    env: { ...process.env, OPENAI_API_KEY: benchKey },
  })
}

/** Sums up by how much the heap had grown before every collection: `Scavenge 24.1 (27.2) -> 21.9 (30.2) MB`. */
function allocatedKb(printed) {
  let allocatedMb = 0
  let after = 0
  for (const [, from, to] of printed.matchAll(/ms: .*? ([\d.]+) \([\d.]+\) -> ([\d.]+) \(/g)) {
    allocatedMb += Number(from) - after
    after = Number(to)
  }
  return allocatedMb * 1000
}

function round(value) {
  return Number(value.toPrecision(3))
}
