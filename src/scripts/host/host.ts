/**
 * The entry of the forked script-host process. Its main thread only passes messages between the runner and the workers:
 * it never runs user code, so it is never blocked.
 */
import { defined } from '../../json/defined.ts'
import { beatMs } from '../../scope/awake-clock.ts'
import { killOwnChildren } from '../../system/owner.ts'
import type { HostSettings } from '../protocol/host-settings.ts'
import { describeOverLimit, toMegabytes } from '../protocol/memory-budget.ts'
import type { HostMessage, RunnerMessage } from '../protocol/protocol.ts'
import { createCounter } from './hosted-thread.ts'
import { readOwnMemory } from './own-memory.ts'
import { WorkerPool } from './worker-pool.ts'

/** Smaller changes are not reported to the runner. */
const memoryStepMb = 32
const { maxMemoryMb, disposable } = JSON.parse(process.argv[2] ?? '{}') as HostSettings

/** Shows the other threads that the process is awake. */
const beats = createCounter()

const pool = new WorkerPool(new URL('./script-worker.js', import.meta.url), {
  disposable,
  giveUp: (why) => giveUp(why),
  tell: sendToRunner,
  beats,
})

function sendToRunner(message: HostMessage): void {
  if (process.connected) process.send?.(message)
}

process.on('message', (message: RunnerMessage) => pool.receive(message))

// Buffers are outside the heap, so heap limits do not apply to them.
let reportedMb = 0
setInterval(() => {
  Atomics.add(beats, 0, 1)
  const usedMb = toMegabytes(readOwnMemory())
  if (usedMb >= maxMemoryMb) giveUp({ reason: describeOverLimit(usedMb, maxMemoryMb) })
  if (Math.abs(usedMb - reportedMb) < memoryStepMb) return
  reportedMb = usedMb
  sendToRunner({ type: 'memory', usedMb })
}, beatMs).unref()

/** Announces it first, so that nothing more is sent here. */
function giveUp(why: { reason?: string; at?: string | undefined }): void {
  const message: HostMessage = { type: 'giving_up', ...defined(why) }
  if (process.connected) process.send?.(message, killOwnGroup)
  else killOwnGroup()
}

/** Not `process.exit`, which waits for threads that may be inside a system call. */
function killOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}

// The runner has ended.
process.on('disconnect', () => {
  killOwnChildren()
  killOwnGroup()
})
