/** The machine, and how much of it other programs used while something was measured. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { cpuOfEndedChildren } from './measure.mjs'

export function describeMachine() {
  const [{ model }, ...others] = cpus()
  return `${others.length + 1} cores (${model})`
}

/**
 * Call the returned function at the end: it returns the share of all CPU time that was used by programs that this one did
 * not start, so that figures from a busy machine can be recognised. Undefined if this is not Linux.
 */
export function watchOtherPrograms() {
  const before = readTimes()
  return () => {
    const after = readTimes()
    if (before === undefined || after === undefined) return undefined
    const others = after.busy - before.busy - (after.own - before.own)
    return Number(Math.max(0, others / (after.all - before.all)).toFixed(2))
  }
}

/** Seconds since the machine was started: of all cores, of those that were busy, and of this program and its children. */
function readTimes() {
  try {
    const [line] = readFileSync('/proc/stat', 'utf8').split('\n')
    const [user, nice, system, idle, waiting, ...interrupts] = line.split(/\s+/).slice(1, 8).map(Number)
    const busy = [user, nice, system, ...interrupts].reduce((sum, ticks) => sum + ticks) / 100
    const { user: ownUser, system: ownSystem } = process.cpuUsage()
    const own = (ownUser + ownSystem) / 1e6 + cpuOfEndedChildren()
    return { busy, all: busy + (idle + waiting) / 100, own }
  } catch {
    return undefined
  }
}
