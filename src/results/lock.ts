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
import { ConfigError, messageOf, OutputError } from '../errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { withoutLinks } from '../system/without-links.ts'
import { isAlive, type LockOwner, newOwner, parseOwner } from './lock-owner.ts'

/** Somebody else writes to the file. */
export class LockedError extends ConfigError {}

/** How often whoever holds a lock gives a sign of life. */
const refreshEveryMs = 5000
/** Without a sign of life for so long, an owner of whom nothing else is known is dead. */
const deadAfterMs = 30_000
/** How long to wait for others who are taking, removing or giving back the same lock at this moment. */
const patienceMs = 2000
const lookAgainMs = 20

/**
 * Two runs that write to one file would destroy each other's results. The lock is a file beside it that names its owner
 * and is written again every few seconds, so that a run on another machine can tell whether this one is still alive.
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
    // By whatever name it is reached, a file has one lock.
    this.#path = `${withoutLinks(path)}.lock`
    this.#held = acquire(path, this.#path)
    this.#timer = setInterval(() => this.#refresh(), refreshEveryMs).unref()
  }

  /** Aborted as soon as it is noticed that another run has taken the lock. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Throws when another run has taken the lock: nothing may be written then. */
  assertHeld(): void {
    if (!this.#lost.signal.aborted && !this.#isThere()) this.#takeAgain()
    this.#lost.signal.throwIfAborted()
  }

  /** May be called twice. */
  release(): void {
    if (this.#released) return
    this.#released = true
    clearInterval(this.#timer)
    if (!this.#lost.signal.aborted && this.#isThere()) rmSync(this.#path, { force: true })
    closeSync(this.#held.descriptor)
  }

  /** The lock under that name is the one that we hold open. */
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
      // Whoever writes next hears of a lost lock. A disk that is full at this moment is not a reason to stop.
    }
  }

  /** Somebody has removed it. As long as nobody else has one, the file is still ours. */
  #takeAgain(): void {
    makeFolder(dirname(this.#path))
    const again = create(this.#path)
    if ('held' in again) {
      closeSync(this.#held.descriptor)
      this.#held = again.held
      return
    }
    const owner = look(this.#path)?.owner
    const who = owner === undefined ? '' : ` (${describe(owner)})`
    this.#lost.abort(
      new OutputError(
        `${this.#file} has been taken over by another run${who}: this one has stopped writing to it`,
      ),
    )
  }
}

/** A lock of ours, open: its descriptor tells it from others that have the same name after it. */
interface Held {
  descriptor: number
  owner: LockOwner
}

function acquire(path: string, lock: string): Held {
  const lastLook = performance.now() + patienceMs
  for (;;) {
    const taken = create(lock)
    if ('held' in taken) return taken.held
    const found = look(lock)
    if (found !== undefined && !isDead(found, taken.now)) throw lockedError(path, lock, found, taken.now)
    if (performance.now() > lastLook)
      throw new LockedError({
        code: 'locked',
        message: `${path} is locked: remove ${lock} and ${lock}.removing`,
      })
    if (found === undefined || !removeDead(lock)) pause(lookAgainMs)
  }
}

/** `now` is what the file system, which may be on another machine, takes for the time. */
type Created = { held: Held } | { now: number }

/** The lock has its owner's name in it from the first moment on. */
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

/** What file systems without hard links answer. */
const hasNoLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

function publish(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!hasNoLinks.has(code)) throw error
  }
  // Who is first has the name; renaming over one's own empty file keeps it, and the descriptor stays good.
  try {
    closeSync(openSync(lock, 'wx'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  renameSync(draft, lock)
  return true
}

/** Always the same bytes in the same place: whoever reads meanwhile sees no other text. */
function writeOwner({ descriptor, owner }: Held): void {
  writeSync(descriptor, `${JSON.stringify(owner)}\n`, 0)
}

interface Found {
  owner: LockOwner | undefined
  lastSignMs: number
}

/** Undefined where there is no lock. */
function look(lock: string): Found | undefined {
  try {
    const found = lstatSync(lock)
    if (!found.isFile()) throw new Error('it is not a file')
    return { owner: parseOwner(readText(lock)), lastSignMs: found.mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OutputError(`${lock} is not a lock of viva, and in the way: ${messageOf(error)}`)
  }
}

/** Empty where the lock is another user's and not for us to read. */
function readText(lock: string): string {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return ''
    throw error
  }
}

/** A process that can be looked for is dead when it is gone, and not before; others when they give no sign of life. */
function isDead({ owner, lastSignMs }: Found, now: number): boolean {
  const alive = owner && isAlive(owner)
  return alive === undefined ? now - lastSignMs > deadAfterMs : !alive
}

/** One at a time looks again and removes it, or it would be the lock of somebody who was quicker. */
function removeDead(lock: string): boolean {
  const removing = `${lock}.removing`
  const turn = create(removing)
  if (!('held' in turn)) {
    const found = look(removing)
    if (found !== undefined && isDead(found, turn.now)) rmSync(removing, { force: true })
    return false
  }
  try {
    const found = look(lock)
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
    const message = `${path} is locked, and ${lock} does not say by whom`
    return new LockedError({ code: 'locked', message, hint: 'wait for 30 s, or remove the lock' })
  }
  const message = `${path} is being written by another run (${describe(owner)})`
  const seconds = Math.max(0, Math.ceil((now - lastSignMs) / 1000))
  const hint = isAlive(owner)
    ? 'wait until it has ended, or give another -o'
    : `its last sign of life was ${seconds} s ago; if it was killed, try again 30 s after that`
  return new LockedError({ code: 'locked', message, hint })
}

function describe({ pid, host, since }: LockOwner): string {
  return `process ${pid} on ${host}, since ${since}`
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
