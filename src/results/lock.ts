import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { messageOf, OutputError } from '../errors.ts'

/** Somebody else writes to the file. */
export class LockedError extends OutputError {}

/** How long a lock may be nobody's: others may be removing or giving it back at this moment. */
const patienceMs = 2000
const lookAgainMs = 20

/** Of this process. Process numbers come back: a lock with our own that is not among these is of one that was killed. */
const held = new Set<string>()

/** Two runs that write to one file would destroy each other's results. Gives the function that unlocks. */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`
  const lastLook = performance.now() + patienceMs
  for (;;) {
    if (take(lock)) return () => giveBack(lock)
    const owner = ownerOf(lock)
    if (owner !== undefined && isHeld(lock, owner))
      throw new LockedError(
        `${path} is being written by another run (process ${owner}; if that is none of viva, remove ${lock})`,
      )
    if (performance.now() > lastLook)
      throw new LockedError(`${path} is locked, and nobody can tell by whom: remove ${lock}`)
    if (owner === undefined || !removeDead(lock)) pause(lookAgainMs)
  }
}

/** It has its owner's name in it from the first moment on. */
function take(lock: string): boolean {
  const draft = `${lock}.${randomUUID()}`
  try {
    writeFileSync(draft, String(process.pid))
    linkSync(draft, lock)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!hasNoLinks.has(codeOf(error))) throw error
    if (!takeWithoutLink(lock)) return false
  } finally {
    rmSync(draft, { force: true })
  }
  held.add(lock)
  return true
}

/** What file systems without hard links answer. */
const hasNoLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

function takeWithoutLink(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function giveBack(lock: string): void {
  held.delete(lock)
  rmSync(lock, { force: true })
}

/** Its owner was killed. One at a time looks again and removes it, or it would be the lock of somebody who was quicker. */
function removeDead(lock: string): boolean {
  const removing = `${lock}.removing`
  if (!take(removing)) return false
  try {
    const owner = ownerOf(lock)
    if (owner !== undefined && !isHeld(lock, owner)) rmSync(lock, { force: true })
    return true
  } finally {
    giveBack(removing)
  }
}

/** A process; undefined where the lock is gone. */
function ownerOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new OutputError(`${lock} is no lock of viva, and in the way: ${messageOf(error)}`)
  }
}

function isHeld(lock: string, owner: number): boolean {
  if (owner === process.pid) return held.has(lock)
  if (!Number.isInteger(owner) || owner <= 0) return false
  try {
    process.kill(owner, 0)
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
