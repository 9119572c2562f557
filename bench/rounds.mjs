/** Contenders that are measured in turn, and the figures that are kept of all rounds. */

/** A contender that takes longer than this is measured only once: more rounds would tell little and take long. */
const onceSeconds = 15

/**
 * Runs every contender once per round, so that a slow minute of the machine affects all of them. `run` returns the figures
 * of one run, with its `seconds`. Returns for each contender its name, the median of each figure (of `peakMb`: the
 * highest) and the number of rounds. A contender that `mayFail` is left out if it does, with the reason.
 */
export async function measureInTurn(contenders, rounds) {
  const entries = contenders.map((contender) => ({ ...contender, runs: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const entry of entries) if (wantsAnotherRound(entry)) await runOnce(entry)
  }
  return entries.map(({ name, runs, leftOut }) =>
    leftOut === undefined ? { name, ...summarize(runs), rounds: runs.length } : { name, leftOut },
  )
}

function wantsAnotherRound({ runs, leftOut }) {
  return leftOut === undefined && runs.every(({ seconds }) => seconds < onceSeconds)
}

async function runOnce(entry) {
  try {
    entry.runs.push(await entry.run())
  } catch (error) {
    if (!entry.mayFail) throw error
    entry.leftOut = error.message
  }
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
