import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRecord, parseJson } from '../json/json.ts'

/** Who holds a lock. Process ids are reused, and may be the same in two containers, so they are not enough. */
export interface LockOwner {
  /** Unique for every lock. */
  id: string
  pid: number
  host: string
  /** Identifies the boot of the machine and the container; empty if the system does not provide it. */
  boot: string
  /** When its process started: the kernel's count on Linux, otherwise the time of day. */
  start: string
  /** When it took the lock, for messages. */
  since: string
}

/** This process as the owner of a new lock. */
export function newOwner(): LockOwner {
  return {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    boot: bootName(),
    start: processStart(process.pid) ?? String(Math.round(Date.now() - process.uptime() * 1000)),
    since: new Date().toISOString(),
  }
}

/** Undefined if the text is not a lock of viva. */
export function parseOwner(text: string): LockOwner | undefined {
  const owner = parseJson(text)
  if (!isRecord(owner) || typeof owner.pid !== 'number' || owner.pid <= 0) return undefined
  const names = [owner.id, owner.host, owner.boot, owner.start, owner.since]
  return names.every((name) => typeof name === 'string') ? (owner as unknown as LockOwner) : undefined
}

/** Whether its process is alive; undefined if that is unknown, as on another machine or in another container. */
export function isAlive({ pid, host, boot, start }: LockOwner): boolean | undefined {
  if (boot === '' || host !== hostname() || boot !== bootName()) return undefined
  if (!exists(pid)) return false
  const found = processStart(pid)
  // Without its start time, it may be another process with the same id.
  return found === undefined ? undefined : found === start
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function bootName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/** Field 22 of `stat`, counted from the end of the command name, which may have spaces and parentheses in it. */
function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
