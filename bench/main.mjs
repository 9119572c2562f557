/**
 * Measures viva and its peers, and writes the tables of docs/benchmarks.md.
 *
 *   npm run bench [-- --only throughput,peers] [--rounds 3] [--quick]
 *
 * The figures of every part are kept in bench/results.json as soon as it has ended, so that a run that was interrupted can
 * be continued with `--only`. `--quick` runs every part with small numbers to see whether it works, and keeps nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { watchOtherPrograms } from './machine.mjs'
import { writePage } from './page.mjs'
import { loadPart, parts } from './parts.mjs'
import { keepResult, readResults } from './results.mjs'
import { explainLeftOut, percent, printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) printHelp()
else await main()

function printHelp() {
  console.log(`npm run bench [-- --only PART,PART] [--rounds 3] [--quick]\n\nParts: ${parts.join(', ')}`)
}

async function main() {
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  const failed = []
  for (const name of chooseParts()) {
    try {
      await runPart(name, rounds)
    } catch (error) {
      console.error(`${name} failed: ${error.message}\n${error.printed?.slice(-2000) ?? ''}`)
      failed.push(name)
    }
  }
  if (failed.length === 0) return
  console.error(
    `\nThese parts failed and keep their earlier figures. To run them again: --only ${failed.join(',')}`,
  )
  process.exitCode = 1
}

function chooseParts() {
  const chosen = values.only?.split(',') ?? parts
  const unknown = chosen.filter((name) => !parts.includes(name))
  if (unknown.length === 0) return chosen
  console.error(`There is no part ${unknown.join(', ')}. The parts are ${parts.join(', ')}.`)
  process.exit(2)
}

async function runPart(name, rounds) {
  console.log(`\n${name}`)
  const { measure, columns } = await loadPart(name)
  const folder = await mkdtemp(join(tmpdir(), `viva-bench-${name}-`))
  const started = performance.now()
  const otherPrograms = watchOtherPrograms()
  try {
    const size = (full, quick) => (values.quick ? quick : full)
    const rows = await measure({ size, rounds, folder })
    printRowsOf(rows, columns)
    const others = otherPrograms()
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`(${seconds} s; other programs used ${percent(others)} of the CPU)`)
    if (values.quick) return
    keepResult(name, { rounds, otherPrograms: others, rows })
    await writePage(readResults())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function printRowsOf(rows, columns) {
  printTable(
    columns,
    rows.filter(({ leftOut }) => leftOut === undefined),
  )
  for (const row of rows) if (row.leftOut !== undefined) console.log(explainLeftOut(row))
}
