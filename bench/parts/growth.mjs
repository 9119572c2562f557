/** Whether a case costs more time or memory when there are many of them, or when they are run several times or reported. */
import { vivaTest } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { measureInTurn, round } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

const { seconds, cpu, peakMb } = columnOf
export const columns = [
  ['run', ({ name }) => name],
  seconds,
  ['µs per case, without the start', ({ perCase }) => (perCase === undefined ? '' : perCase.toFixed(0))],
  ['ratio to 1,000', ({ growth }) => (growth === undefined ? '' : growth.toFixed(2))],
  cpu,
  peakMb,
]

export async function measure({ size, rounds, folder }) {
  const most = size(100_000, 2000)
  const third = Math.ceil(most / 3)
  const runs = [
    { name: 'one case', cases: 1 },
    ...[size(1000, 200), size(10_000, 1000), most].map((cases) => ({ name: `${count(cases)} cases`, cases })),
    { name: `${count(most)} cases, \`-o report.html\``, cases: most, flags: ['-o', 'report.html'] },
    { name: `${count(third)} cases, \`--runs 3\``, cases: third, runs: 3, flags: ['--runs', '3'] },
  ]
  const server = await startServer(0)
  try {
    const contenders = []
    for (const run of runs) contenders.push(await vivaTest(server, folder, { ...run, parallel: 16 }))
    return addGrowth(runs, await measureInTurn(contenders, rounds))
  } finally {
    await server.close()
  }
}

/** The start of the command, measured with the run of one case, must not hide that the cases became slower. */
function addGrowth(runs, rows) {
  const [start, thousand] = rows
  const perCase = ({ seconds }, index) => {
    const played = runs[index].cases * (runs[index].runs ?? 1)
    return ((seconds - start.seconds) / (played - 1)) * 1e6
  }
  return rows.map((row, index) =>
    index === 0
      ? row
      : {
          ...row,
          perCase: round(perCase(row, index)),
          growth: round(perCase(row, index) / perCase(thousand, 1)),
        },
  )
}
