import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { now, race } from '../../../json/equal/untouched.ts'

/** How long work that a test leaves running is awaited, so that its errors are failures of that test. */
const maxWaitMs = 250
const pollMs = 5

/** Connections are not among them: those that are kept alive are not leftovers. */
const kinds = /^(?:Timeout|Immediate|FSReq|GetAddrInfo)/

/** Counts what keeps the worker busy, by kind. */
export function countActiveResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (kinds.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** Waits until no more work is under way than before, and the running function has ended. */
export async function settleLeftovers(
  before: ReadonlyMap<string, number>,
  running: Promise<unknown>,
): Promise<void> {
  const end = now() + maxWaitMs
  // It may have failed by an error that nobody awaited, and still be running.
  await race([running, pause(maxWaitMs, undefined, { ref: false })])
  // Node reports an unhandled rejection one turn later.
  await nextTurn()
  while (hasMore(before) && now() < end) await pause(pollMs)
}

function hasMore(before: ReadonlyMap<string, number>): boolean {
  return [...countActiveResources()].some(([kind, count]) => count > (before.get(kind) ?? 0))
}
