/** Contenders that are measured in turn, and the figures that are kept of all rounds. */

/** A contender that takes longer than this is measured only once: more rounds would tell little and take long. */
const onceSeconds = 15

/**
 * Runs every contender once per round, so that a slow minute of the machine affects all of them. `run` returns the figures
 * of one run, with its `seconds`. Returns for each contender its name, the median of each figure (of `peakMb`: the
 * highest) and the number of rounds. A contender that `mayFail` is left out, with the reason, if it never succeeds.
 */
export async function measureInTurn(contenders, rounds) {
  const entries = contenders.map((contender) => ({ ...contender, runs: [], failures: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const entry of entries) if (isQuickEnough(entry)) await runOnce(entry)
  }
  return entries.map(describe)
}

function isQuickEnough({ runs }) {
  return runs.every(({ seconds }) => seconds < onceSeconds)
}

async function runOnce({ name, run, mayFail, runs, failures }) {
  try {
    runs.push(await run())
  } catch (error) {
    if (!mayFail) throw error
    console.error(`${name}: ${error.message}\n${error.printed?.slice(-2000) ?? ''}`)
    failures.push(error.message)
  }
}

function describe({ name, runs, failures }) {
  if (runs.length === 0) return { name, leftOut: failures[0] }
  const failed = failures.length > 0 ? { failed: failures.length } : {}
  return { name, ...summarize(runs), rounds: runs.length, ...failed }
}

function summarize(runs) {
  const figures = {}
  for (const [key, first] of Object.entries(runs[0])) {
    if (typeof first !== 'number') continue
    const values = runs.map((run) => run[key])
    figures[key] = round(key === 'peakMb' ? Math.max(...values) : median(values))
  }
  return figures
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Four digits are more than can be measured. */
export function round(value) {
  return Number(value.toPrecision(4))
}
