/**
 * The entry of the forked script-host process. Its main thread only passes messages between the runner and
 * the workers: it never runs the user's code, so it is never blocked.
 */
import type { HostMessage, RunnerMessage } from './protocol.ts'
import { WorkerPool } from './worker-pool.ts'

function send(message: HostMessage): void {
  if (process.connected) process.send?.(message)
}

const pool = new WorkerPool(new URL('./script-worker.js', import.meta.url), {
  log: (id, text) => send({ type: 'log', id, text }),
  done: (id, outcome) => send({ type: 'done', id, outcome }),
})

process.on('message', (message: RunnerMessage) => {
  if (message.type === 'call') pool.run(message.id, message.payload)
  else pool.abort(message.id, message.reason)
})

// The runner is no more. Not `process.exit`, which waits for threads that may be inside a system call.
process.on('disconnect', () => {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
})
