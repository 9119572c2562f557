/** Peers as contenders, or the reason why they are left out. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { watchTraffic, withKey } from '../contenders.mjs'
import { measureProcess } from '../measure.mjs'
import { installPeer } from './install.mjs'

/** After this time a peer is taken to hang. */
const timeout = 10 * 60_000

/** `calls` are the requests that all cases make together. */
export async function peerContender(
  peer,
  server,
  { program = peer.program, cases, calls = cases, parallel },
) {
  const folder = await installPeer(peer)
  const env = {
    ...withKey,
    BENCH_URL: server.url,
    BENCH_CLIENT: peer.client ?? 'undici',
    BENCH_CASES: String(cases),
    BENCH_PARALLEL: String(parallel),
    CI: '1',
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
  }
  return {
    name: peer.name,
    mayFail: true,
    run: async () => {
      if (peer.store) await rm(join(folder, peer.store), { recursive: true, force: true })
      return watchTraffic(server, { calls, parallel }, () =>
        measureProcess([process.execPath, ...program], { cwd: folder, env, timeout }),
      )
    },
  }
}

/** Installs peers. Those that cannot be installed are left out, with the reason. */
export async function splitInstalled(peers) {
  const installed = []
  const leftOut = []
  for (const peer of peers) {
    try {
      await installPeer(peer)
      installed.push(peer)
    } catch (error) {
      leftOut.push({ name: peer.name, leftOut: error.message })
    }
  }
  return { installed, leftOut }
}
