/**
 * What one trivial case costs, compared with the figures of bench/cost.json, which `--update` replaces.
 *
 *   npm run build && node bench/cost.mjs [--update] [--cases 5000]
 *
 * Always exits with 0: a higher figure is a warning, not a failed test.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printRows } from './measure.mjs'
import { costPerCase } from './parts/cost.mjs'

const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, cases: { type: 'string', default: '5000' } },
})
/** A figure that exceeds the kept one by this share is worth a warning. */
const tolerated = { 'KB allocated': 0.1, 'CPU ms': 0.25 }

const kept = fileURLToPath(new URL('cost.json', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'viva-cost-'))
try {
  const { kilobytes, cpuMs } = await costPerCase({ cases: Number(values.cases), rounds: 1, folder })
  const figures = { 'KB allocated': kilobytes, 'CPU ms': cpuMs }
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
  await rm(folder, { recursive: true, force: true })
}

function readKept() {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return {}
  }
}
