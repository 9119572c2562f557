import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { OutputError } from '../errors.ts'

/** Two runs that write to one file would destroy each other's results. Gives the function that unlocks. */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`
  for (let attempt = 0; ; attempt++) {
    try {
      const descriptor = openSync(lock, 'wx')
      writeSync(descriptor, String(process.pid))
      closeSync(descriptor)
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const owner = Number(readFileSync(lock, 'utf8'))
      if (attempt > 0 || isAlive(owner)) {
        throw new OutputError(`${path} is being written by another run (process ${owner})`)
      }
      // Its owner was killed.
      rmSync(lock, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
