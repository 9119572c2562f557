/** Conversations of three turns with a simulated user, which is played by a second model. */
import { bareUndici, runViva, withRatios } from '../contenders.mjs'
import { startServer } from '../measure.mjs'
import { peerContender, splitInstalled } from '../peers/contender.mjs'
import { peers } from '../peers/list.mjs'
import { connector, writeFiles } from '../project.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

const { parallel, name, seconds, ratio, cpu, peakMb, slotsBusy } = columnOf
const conversations = ['conversations', ({ cases, latency }) => `${count(cases)} × 5 calls × ${latency} ms`]
export const columns = [conversations, parallel, name, seconds, ratio, cpu, peakMb, slotsBusy]

const turns = 3
/** The agent replies three times, and between its replies the user is asked for a message. */
const callsPerConversation = 2 * turns - 1

export async function measure({ size, rounds, folder }) {
  const { installed, leftOut } = await splitInstalled(peers.filter((peer) => peer.conversations))
  const rows = []
  for (const latency of [0, 50]) {
    const workload = { cases: size(latency === 0 ? 1000 : 200, 40), latency, parallel: 16 }
    rows.push(...(await measureWorkload(workload, installed, { rounds, folder })))
  }
  return [...rows, ...leftOut]
}

async function measureWorkload(workload, installed, { rounds, folder }) {
  const { cases, latency, parallel } = workload
  const calls = cases * callsPerConversation
  const server = await startServer(latency)
  try {
    await writeFiles(folder, createProject(server, cases))
    const viva = ['-i', 'cases.jsonl', '-n', `openai:${server.url}#turns`, '-o', 'x.jsonl']
    const contenders = [
      bareUndici(server, { cases, calls, parallel, turns }),
      { name: 'viva test', run: () => runViva(server, folder, { calls, parallel }, viva) },
    ]
    for (const peer of installed)
      contenders.push(
        await peerContender(peer, server, { program: peer.conversations, cases, calls, parallel }),
      )
    const rows = withRatios(await measureInTurn(contenders, rounds))
    return rows.map((row) => ({ ...workload, ...row }))
  } finally {
    await server.close()
  }
}

function createProject(server, cases) {
  return {
    'app.yao': {},
    'connectors/user.conn.yao': connector(server, 'user-as-json'),
    'viva.config.json': { helpers: { connector: 'user' } },
    'cases.jsonl': Array.from({ length: cases }, (_, index) => ({
      id: `T${index}`,
      simulator: { goal: 'Hear about numbers', opening: `Say hello to number ${index}.` },
      checkpoints: [{ id: 'third', assert: { type: 'contains', value: `turn ${turns}` } }],
      final_assertions: [{ type: 'contains', value: 'Hello' }],
    })),
  }
}
