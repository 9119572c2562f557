/** What recording and replaying cost compared with a plain run, and whether their memory grows with the recording. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { vivaTest } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { measureInTurn, round } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

const { cases, name, seconds, cpu, peakMb } = columnOf
export const columns = [
  cases,
  name,
  seconds,
  ['ratio to plain', ({ ratio }) => ratio.toFixed(2)],
  cpu,
  ['CPU, ratio to plain', ({ cpuRatio }) => cpuRatio.toFixed(2)],
  peakMb,
]

export async function measure({ size, rounds, folder }) {
  const server = await startServer(0)
  const rows = []
  try {
    for (const cases of [size(1000, 200), size(10_000, 1000), size(30_000, 2000)])
      rows.push(...(await measureCases(server, folder, cases, rounds)))
  } finally {
    await server.close()
  }
  return rows
}

async function measureCases(server, folder, cases, rounds) {
  const recording = `${cases}.recording`
  const contender = (name, flags, calls = cases) =>
    vivaTest(server, folder, { name, cases, calls, parallel: 16, flags })
  const record = await contender('`--record`', ['--record', recording])
  const contenders = [
    await contender('plain', []),
    {
      ...record,
      // A recording is never put in the place of another one.
      run: async () => {
        await rm(join(folder, recording), { force: true })
        return record.run()
      },
    },
    await contender('`--replay`', ['--replay', recording], 0),
  ]
  const rows = await measureInTurn(contenders, rounds)
  const [plain] = rows
  return rows.map((row) => ({
    ...row,
    cases,
    ratio: round(row.seconds / plain.seconds),
    cpuRatio: round(row.cpu / plain.cpu),
  }))
}
