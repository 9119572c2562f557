import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that has ended but was not yet reaped by its parent is listed too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits for the process ids that the test wrote to `pids`. */
export async function pidsIn(cwd: string): Promise<number[]> {
  const path = join(cwd, 'pids')
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await wait(20)
  return readFileSync(path, 'utf8').trim().split(' ').map(Number)
}
