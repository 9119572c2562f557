import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRecord, parseJson } from '../json/json.ts'

/** Who holds a lock. Process numbers come back and are the same in two containers, so there is more to a name. */
export interface LockOwner {
  /** Different for every lock that was ever taken. */
  id: string
  pid: number
  host: string
  /** The start of the machine, and the container; empty where the system has no name for them. */
  boot: string
  /** When its process started: the system's own count on Linux, otherwise by the clock. */
  start: string
  /** When it took the lock, for messages. */
  since: string
}

/** This process, which takes a lock. */
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

/** Undefined for what is no lock of viva. */
export function parseOwner(text: string): LockOwner | undefined {
  const owner = parseJson(text)
  if (!isRecord(owner) || typeof owner.pid !== 'number' || owner.pid <= 0) return undefined
  const names = [owner.id, owner.host, owner.boot, owner.start, owner.since]
  return names.every((name) => typeof name === 'string') ? (owner as unknown as LockOwner) : undefined
}

/** Whether its process lives. Undefined: it may be on another machine or in another container. */
export function isAlive({ pid, host, boot, start }: LockOwner): boolean | undefined {
  if (boot === '' || host !== hostname() || boot !== bootName()) return undefined
  if (!exists(pid)) return false
  const found = processStart(pid)
  // Without the system's word for it, another process may have got the number.
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

/** Field 22 of its `stat`, counted after the command's name, which may hold spaces and parentheses. */
function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
