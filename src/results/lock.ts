import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { OutputError } from '../errors.ts'

/** How long whoever makes a lock may take to write its name into it. */
const namelessMs = 2000
const lookAgainMs = 20

/** Two runs that write to one file would destroy each other's results. Gives the function that unlocks. */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`
  for (;;) {
    if (take(lock)) return () => rmSync(lock, { force: true })
    const owner = ownerOf(lock)
    if (owner === 'nobody yet') pause(lookAgainMs)
    else if (isAlive(owner))
      throw new OutputError(`${path} is being written by another run (process ${owner})`)
    else removeLockOf(owner, lock)
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** A process. A lock is there for a moment before its owner is in it, and may be gone before it is read. */
function ownerOf(lock: string): number | 'nobody yet' {
  try {
    const written = readFileSync(lock, 'utf8')
    const isNew = Date.now() - statSync(lock).mtimeMs < namelessMs
    return written === '' && isNew ? 'nobody yet' : Number(written)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'nobody yet'
    throw error
  }
}

/** It was killed. Somebody else who saw that, too, may have a new lock by now, which is put back. */
function removeLockOf(owner: number, lock: string): void {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    if (Object.is(Number(readFileSync(aside, 'utf8')), owner)) rmSync(aside)
    else renameSync(aside, lock)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
