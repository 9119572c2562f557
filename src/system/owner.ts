import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { findOwnedProcesses, listDescendants, ownerVariable } from './find-processes.ts'

/** Processes that end at about the same time share one search: reading all environments blocks for milliseconds. */
const sweepMs = 500
const pollMs = 50
/** A process that is found may have started another one meanwhile, so the search is repeated. */
const maxSearches = 5

const owners = new Set<Owner>()
const ended = new Set<Owner>()

/**
 * Starts a process and has to end everything that comes from it. Processes that left the process group (`detached`,
 * `setsid`, a daemon) are found by an inherited environment variable.
 */
export class Owner {
  readonly id = randomUUID()
  /** Environment for the process that is started. A viva that runs inside another one names the owners of both. */
  readonly environment = { [ownerVariable]: `${process.env[ownerVariable] ?? ''}/${this.id}` }

  constructor() {
    if (owners.size === 0) process.on('exit', killAll)
    owners.add(this)
  }

  /** Kills the owned processes within a moment, at the latest when this process exits. */
  killOwnedSoon(): void {
    if (ended.size === 0) setTimeout(() => killOwnedBy([...ended]), sweepMs).unref()
    ended.add(this)
  }

  /** Asks the owned processes to end, and waits for them until that time. */
  async endOwned(until: number): Promise<void> {
    signalEach(findOwnedProcesses([this.id]), 'SIGTERM')
    while (findOwnedProcesses([this.id]).length > 0 && Date.now() < until) await wait(pollMs)
  }
}

function killAll(): void {
  killOwnedBy([...owners])
}

function killOwnedBy(some: readonly Owner[]): void {
  killMarked(some.map(({ id }) => id))
  for (const owner of some) {
    ended.delete(owner)
    owners.delete(owner)
  }
  if (owners.size === 0) process.off('exit', killAll)
}

function killMarked(ids: readonly string[]): void {
  for (let look = 0; look < maxSearches; look++) {
    const found = findOwnedProcesses(ids)
    if (found.length === 0) return
    signalEach(found, 'SIGKILL')
  }
}

/** Must run before the process itself is killed: afterwards nobody knows whose children they were. */
export function killDescendants({ pid, exitCode, signalCode }: ChildProcess): void {
  const isRunning = exitCode === null && signalCode === null
  if (pid !== undefined && isRunning) signalEach(listDescendants(pid), 'SIGKILL')
}

/** Kills everything that this process has started; the process has an owner itself and is about to end. */
export function killOwnChildren(): void {
  const id = process.env[ownerVariable]?.split('/').at(-1)
  signalEach(listDescendants(process.pid), 'SIGKILL')
  if (id !== undefined) killMarked([id])
}

function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has already ended.
    }
  }
}
