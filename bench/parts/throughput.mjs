/** The overhead of a run over the bare calls, as whole processes against the same server. */
import { bareUndici, vivaTest, withRatios } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

const { workload, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy } = columnOf
export const columns = [workload, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy]

export async function measure({ size, rounds, folder }) {
  const workloads = [
    { cases: size(1000, 200), latency: 50, parallel: 16 },
    { cases: size(5000, 1000), latency: 50, parallel: 100 },
    { cases: size(10_000, 1000), latency: 0, parallel: 16 },
    { cases: size(100_000, 2000), latency: 0, parallel: 16 },
  ]
  const rows = []
  for (const workload of workloads) rows.push(...(await measureWorkload(workload, { rounds, folder })))
  return rows
}

async function measureWorkload(workload, { rounds, folder }) {
  const { cases, latency, parallel } = workload
  const server = await startServer(latency)
  try {
    const floor = bareUndici(server, { cases, parallel })
    const viva = await vivaTest(server, folder, { cases, parallel })
    const rows = withRatios(await measureInTurn([floor, viva], rounds))
    return rows.map((row) => ({ ...workload, ...row }))
  } finally {
    await server.close()
  }
}
