/** The same prompts and checks with viva and with other tools, in alternating rounds. */
import { bareUndici, vivaTest, withRatios } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { peerContender, splitInstalled } from '../peers/contender.mjs'
import { peers } from '../peers/list.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

const { workload, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy, rounds } = columnOf
export const columns = [workload, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy, rounds]

export async function measure({ size, rounds, folder }) {
  const workloads = [
    { cases: size(1000, 100), latency: 50, parallel: 16 },
    { cases: size(5000, 200), latency: 50, parallel: 100 },
    { cases: size(10_000, 500), latency: 0, parallel: 16 },
  ]
  const { installed, leftOut } = await splitInstalled(peers)
  const rows = []
  for (const workload of workloads)
    rows.push(...(await measureWorkload(workload, installed, { rounds, folder })))
  return [...rows, ...leftOut]
}

async function measureWorkload(workload, installed, { rounds, folder }) {
  const { cases, latency, parallel } = workload
  const server = await startServer(latency)
  try {
    const contenders = [
      bareUndici(server, { cases, parallel }),
      await vivaTest(server, folder, { cases, parallel }),
    ]
    for (const peer of installed) contenders.push(await peerContender(peer, server, { cases, parallel }))
    const rows = withRatios(await measureInTurn(contenders, rounds))
    return rows.map((row) => ({ ...workload, ...row }))
  } finally {
    await server.close()
  }
}
