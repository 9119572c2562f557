/** How often `--runs auto` is wrong, and how many runs it needs, by simulation with the decisions of the command. */
import { loadSource } from '../load-source.mjs'

const percent = (share) => `${(100 * share).toFixed(2)}%`
export const columns = [
  ['true rate', ({ rate }) => String(rate)],
  ['reached', ({ reached }) => percent(reached)],
  ['missed', ({ missed }) => percent(missed)],
  ['undecided', ({ undecided }) => percent(undecided)],
  ['wrong', ({ wrong }) => (wrong === undefined ? '' : percent(wrong))],
  ['mean runs', ({ meanRuns }) => meanRuns.toFixed(1)],
]

const question = { gate: 0.9, confidence: 0.95 }
const maxRuns = 30

export async function measure({ size }) {
  const { decide, hypotheses } = await loadSource('src/results/statistics/sequential.ts')
  const { bad, good } = hypotheses(question.gate)
  const random = createRandom()
  const rates = [0.5, 0.8, bad, 0.85, 0.9, 0.95, good, 0.97, 0.99, 1]
  return rates.map((rate) => {
    const shares = simulate(() => playCase(rate, { decide, random }), size(100_000, 10_000))
    // Between the two hypotheses no decision is wrong.
    const wrong = rate <= bad ? shares.reached : rate >= good ? shares.missed : undefined
    return { rate: Number(rate.toFixed(3)), ...shares, wrong }
  })
}

function simulate(play, cases) {
  const counts = { reached: 0, missed: 0, undecided: 0, meanRuns: 0 }
  for (let index = 0; index < cases; index++) {
    const { decision, runs } = play()
    counts[decision] += 1 / cases
    counts.meanRuns += runs / cases
  }
  return Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Number(value.toFixed(6))]))
}

function playCase(rate, { decide, random }) {
  let passed = 0
  for (let runs = 1; ; runs++) {
    if (random() < rate) passed += 1
    const decision = decide(question, { runs, passed })
    if (decision !== 'undecided' || runs === maxRuns) return { decision, runs }
  }
}

/** mulberry32, which gives the same numbers every time. */
function createRandom() {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
