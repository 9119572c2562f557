import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { resolveLinks } from '../system/resolve-links.ts'
import { isAlive, type LockOwner, newOwner, parseOwner } from './lock-owner.ts'

/** Another run writes to the file. */
export class LockedError extends ConfigError {}

/** How often the owner of a lock refreshes it. */
const refreshEveryMs = 5000
/** An owner whose process cannot be looked up counts as dead if the lock was not refreshed for so long. */
const deadAfterMs = 30_000
/** How long to wait for others that are taking, removing or releasing the same lock at this moment. */
const patienceMs = 2000
const lookAgainMs = 20

/**
 * Two runs that write to the same file would destroy each other's results. The lock is a file beside it that names its
 * owner and is refreshed every few seconds, so that a run on another machine can see whether this one is alive.
 */
export class FileLock {
  readonly #file: string
  readonly #path: string
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout
  #held: Held
  #released = false

  /** Throws `LockedError` when another run has it. */
  constructor(path: string) {
    this.#file = path
    // A file has one lock, even if it is reached through different links.
    this.#path = `${resolveLinks(path)}.lock`
    this.#held = acquire(path, this.#path)
    this.#timer = setInterval(() => this.#refresh(), refreshEveryMs).unref()
  }

  /** Aborted when another run has taken the lock. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Throws when another run has taken the lock, so that nothing more is written. */
  assertHeld(): void {
    if (!this.#lost.signal.aborted && !this.#isThere()) this.#takeAgain()
    this.#lost.signal.throwIfAborted()
  }

  /** May be called more than once. */
  release(): void {
    if (this.#released) return
    this.#released = true
    clearInterval(this.#timer)
    if (!this.#lost.signal.aborted && this.#isThere()) rmSync(this.#path, { force: true })
    closeSync(this.#held.descriptor)
  }

  /** Whether the lock file at the path is the one that this process has open. */
  #isThere(): boolean {
    const named = statSync(this.#path, { throwIfNoEntry: false })
    const held = fstatSync(this.#held.descriptor)
    return named?.ino === held.ino && named.dev === held.dev
  }

  #refresh(): void {
    try {
      this.assertHeld()
      writeOwner(this.#held)
    } catch {
      // The next write reports a lost lock. A disk that is full right now is no reason to stop.
    }
  }

  /** The lock was removed. If no other run has taken it, this one takes it again. */
  #takeAgain(): void {
    makeFolder(dirname(this.#path))
    const again = create(this.#path)
    if ('held' in again) {
      closeSync(this.#held.descriptor)
      this.#held = again.held
      return
    }
    const owner = readLock(this.#path)?.owner
    const who = owner === undefined ? '' : ` (${describeOwner(owner)})`
    this.#lost.abort(
      new OutputError(
        `${this.#file} was taken over by another run${who}: this run has stopped writing to it`,
      ),
    )
  }
}

/** An open lock. Its descriptor distinguishes it from a later lock at the same path. */
interface Held {
  descriptor: number
  owner: LockOwner
}

function acquire(path: string, lock: string): Held {
  const lastLook = performance.now() + patienceMs
  for (;;) {
    const taken = create(lock)
    if ('held' in taken) return taken.held
    const found = readLock(lock)
    if (found !== undefined && !isDead(found, taken.now)) throw lockedError(path, lock, found, taken.now)
    if (performance.now() > lastLook)
      throw new LockedError({
        code: 'locked',
        message: `${path} is locked: remove ${lock} and ${lock}.removing`,
      })
    if (found === undefined || !removeDead(lock)) sleepSync(lookAgainMs)
  }
}

/** `now` is the time of the file system, which may be on another machine. */
type Created = { held: Held } | { now: number }

/** The lock names its owner from the moment it exists. */
function create(lock: string): Created {
  const owner = newOwner()
  const draft = `${lock}.${owner.id}`
  const held = { descriptor: openSync(draft, 'wx', 0o644), owner }
  try {
    writeOwner(held)
    if (publish(draft, lock)) return { held }
    const { mtimeMs: now } = fstatSync(held.descriptor)
    closeSync(held.descriptor)
    return { now }
  } catch (error) {
    closeSync(held.descriptor)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The error codes of file systems without hard links. */
const noLinkCodes = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

function publish(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!noLinkCodes.has(code)) throw error
  }
  // The first to create the file owns the name; renaming over this empty file keeps it, and the descriptor stays valid.
  try {
    closeSync(openSync(lock, 'wx'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  renameSync(draft, lock)
  return true
}

/** Always writes the same bytes at the same place, so that a concurrent reader sees the same text. */
function writeOwner({ descriptor, owner }: Held): void {
  writeSync(descriptor, `${JSON.stringify(owner)}\n`, 0)
}

interface Found {
  owner: LockOwner | undefined
  lastSignMs: number
}

/** Undefined when there is no lock. */
function readLock(lock: string): Found | undefined {
  try {
    const found = lstatSync(lock)
    if (!found.isFile()) throw new Error('it is not a file')
    return { owner: parseOwner(readText(lock)), lastSignMs: found.mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OutputError(`${lock} is not a lock of viva and has to be removed: ${errorMessage(error)}`)
  }
}

/** Empty if the lock belongs to another user and is not readable. */
function readText(lock: string): string {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return ''
    throw error
  }
}

/** A process that can be looked up is dead when it is gone; others are dead when they do not refresh their lock. */
function isDead({ owner, lastSignMs }: Found, now: number): boolean {
  const alive = owner && isAlive(owner)
  return alive === undefined ? now - lastSignMs > deadAfterMs : !alive
}

/** Only one process at a time checks again and removes it: otherwise it could remove the lock of a faster one. */
function removeDead(lock: string): boolean {
  const removing = `${lock}.removing`
  const turn = create(removing)
  if (!('held' in turn)) {
    const found = readLock(removing)
    if (found !== undefined && isDead(found, turn.now)) rmSync(removing, { force: true })
    return false
  }
  try {
    const found = readLock(lock)
    const now = fstatSync(turn.held.descriptor).mtimeMs
    if (found !== undefined && isDead(found, now)) rmSync(lock, { force: true })
    return true
  } finally {
    rmSync(removing, { force: true })
    closeSync(turn.held.descriptor)
  }
}

function lockedError(path: string, lock: string, { owner, lastSignMs }: Found, now: number): LockedError {
  if (owner === undefined) {
    const message = `${path} is locked, but ${lock} does not name the owner`
    return new LockedError({ code: 'locked', message, hint: 'wait 30 s, or remove the lock' })
  }
  const message = `${path} is being written by another run (${describeOwner(owner)})`
  const seconds = Math.max(0, Math.ceil((now - lastSignMs) / 1000))
  const hint = isAlive(owner)
    ? 'wait until it ends, or write to another file'
    : `it last refreshed its lock ${seconds} s ago; if it was killed, try again 30 s after that`
  return new LockedError({ code: 'locked', message, hint })
}

function describeOwner({ pid, host, since }: LockOwner): string {
  return `process ${pid} on ${host}, since ${since}`
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
