/** Runs that continue the results file of an earlier run: one that had ended, and one that was stopped half-way. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runViva, vivaTest } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

const { seconds, cpu, peakMb } = columnOf
export const columns = [
  ['run', ({ name }) => name],
  ['calls', ({ calls }) => count(calls)],
  seconds,
  cpu,
  peakMb,
]

export async function measure({ size, rounds, folder }) {
  const cases = size(100_000, 2000)
  const half = cases / 2
  const server = await startServer(0)
  try {
    const test = await vivaTest(server, folder, { cases, parallel: 16 })
    await writeJournals(folder, test, half)
    const runs = [
      { name: `nothing left of ${count(cases)} cases`, journal: 'ended.jsonl', calls: 0 },
      { name: `${count(half)} left of ${count(cases)} cases`, journal: 'stopped.jsonl', calls: half },
    ]
    const contenders = runs.map(({ name, journal, calls }) => ({
      name,
      run: async () => {
        await copyFile(join(folder, journal), join(folder, 'resumed.jsonl'))
        const flags = [...test.input, '--resume', 'resumed.jsonl']
        return { calls, ...(await runViva(server, folder, { calls, parallel: 16 }, flags)) }
      },
    }))
    return await measureInTurn(contenders, rounds)
  } finally {
    await server.close()
  }
}

/** The file of a run that has ended, and its first half: what a run that was killed leaves behind. */
async function writeJournals(folder, test, half) {
  await test.run()
  const journal = await readFile(join(folder, 'x.jsonl'), 'utf8')
  await writeFile(join(folder, 'ended.jsonl'), journal)
  // The first line describes the run.
  const stopped = journal.split('\n').slice(0, 1 + half)
  await writeFile(join(folder, 'stopped.jsonl'), `${stopped.join('\n')}\n`)
}
