/**
 * How often `--runs auto` is wrong, and how many runs it needs, by simulation with the decisions of the command.
 *
 *   node bench/sequential.mjs [--cases 100000] [--gate 0.9] [--confidence 0.95] [--max-runs 30]
 */
import { parseArgs } from 'node:util'
import { loadSource } from './load-source.mjs'

const { decide, fixedRuns, hypotheses } = await loadSource('src/results/statistics/sequential.ts')

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    gate: { type: 'string', default: '0.9' },
    confidence: { type: 'string', default: '0.95' },
    'max-runs': { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const question = { gate: Number(values.gate), confidence: Number(values.confidence) }
const most = Number(values['max-runs'])
const { bad, good } = hypotheses(question.gate)

// mulberry32, which gives the same numbers every time.
let state = Number(values.seed)
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

function play(rate) {
  let passed = 0
  for (let runs = 1; ; runs++) {
    if (random() < rate) passed += 1
    const decision = decide(question, { runs, passed })
    if (decision !== 'undecided' || runs === most) return { decision, runs }
  }
}

console.log(
  `gate ${question.gate}, confidence ${question.confidence}, at most ${most} runs, ${values.cases} cases per rate`,
)
console.log(
  `hypotheses: ${bad.toFixed(3)} and ${good.toFixed(3)}; fixed number of runs for the same confidence: ${fixedRuns(question)}`,
)
console.log('true rate   reached    missed  undecided   mean runs')
for (const rate of [0.5, 0.8, bad, 0.85, 0.9, 0.95, good, 0.97, 0.99, 1]) {
  const counts = { reached: 0, missed: 0, undecided: 0 }
  let runs = 0
  for (let index = 0; index < Number(values.cases); index++) {
    const played = play(rate)
    counts[played.decision] += 1
    runs += played.runs
  }
  const share = (count) => `${((100 * count) / Number(values.cases)).toFixed(2)} %`.padStart(9)
  console.log(
    `${rate.toFixed(3).padStart(9)} ${share(counts.reached)} ${share(counts.missed)}  ${share(counts.undecided)} ${(runs / Number(values.cases)).toFixed(1).padStart(11)}`,
  )
}
