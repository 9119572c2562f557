/** How long the command takes to start: its version, and one case from start to end. */
import { vivaCommand, vivaTest, withRatios } from '../contenders.mjs'
import { measureProcess, startServer } from '../measure.mjs'
import { peerContender, splitInstalled } from '../peers/contender.mjs'
import { peers } from '../peers/list.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

const { name, cpu, peakMb } = columnOf
export const columns = [
  name,
  ['ms', ({ seconds }) => (seconds * 1000).toFixed(0)],
  ['ratio to `node -e 0`', ({ ratio }) => ratio.toFixed(1)],
  cpu,
  peakMb,
]

/** Short processes vary more, and cost little. */
const roundsPerRound = 3

export async function measure({ rounds, folder }) {
  const { installed, leftOut } = await splitInstalled(peers.filter(({ client }) => client === undefined))
  const server = await startServer(0)
  try {
    const one = { cases: 1, parallel: 1 }
    const contenders = [
      { name: '`node -e 0`', run: () => measureProcess([process.execPath, '-e', '0']) },
      { name: '`viva --version`', run: () => measureProcess([...vivaCommand, '--version']) },
      await vivaTest(server, folder, { name: '`viva test`, one case', ...one }),
    ]
    for (const peer of installed) {
      const contender = await peerContender(peer, server, one)
      contenders.push({ ...contender, name: `${peer.name}, one case` })
    }
    return [...withRatios(await measureInTurn(contenders, rounds * roundsPerRound)), ...leftOut]
  } finally {
    await server.close()
  }
}
