/**
 * The entry of the forked script-host process. Its main thread only passes messages between the runner and
 * the workers: it never runs the user's code, so it is never blocked.
 */
import type { HostMessage, RunnerMessage } from './protocol.ts'
import { createWorkerPool } from './worker-pool.ts'

const LAST_RESORT_MS = 1000

function send(message: HostMessage): void {
  if (process.connected) process.send?.(message)
}

const pool = createWorkerPool(new URL('./script-worker.js', import.meta.url), {
  log: (id, text) => send({ type: 'log', id, text }),
  done: (id, outcome) => send({ type: 'done', id, outcome }),
})

process.on('message', (message: RunnerMessage) => {
  if (message.type === 'call') pool.run(message.id, message.payload)
  else pool.abort(message.id, message.reason)
})

// The runner closed us, or is no more.
process.on('disconnect', () => {
  // A thread inside a system call cannot be terminated; the process can.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_RESORT_MS)
  pool.close().finally(() => process.exit())
})

// Ctrl-C reaches the whole process group; what it means for calls in flight is the runner's to say.
process.on('SIGINT', () => {})
