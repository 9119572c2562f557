import { availableParallelism } from 'node:os'

/** Calls wait for I/O most of the time, so that one thread holds many; more threads only help calls that compute. */
const callsPerThread = 16
const maxThreads = 4

/** How many shared threads are used for so many calls at once. */
export function sharedThreads(calls: number, cores = availableParallelism()): number {
  return Math.max(1, Math.min(cores, maxThreads, Math.ceil(calls / callsPerThread)))
}
