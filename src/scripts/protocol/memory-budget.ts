import { totalmem } from 'node:os'

const bytesInMb = 1024 * 1024
/** No script needs more, however large the machine is. */
const maxLimitMb = 8192
/** Half of a small machine would be too little for what scripts need anyway. */
const enoughMb = 2048
const leftMb = 1024

/** A script-host process, as the budget sees it. */
export interface MemoryHolder {
  /** `crowded`: the others together used more, so this process is not to blame. */
  exceeded(message: string, crowded: boolean): void
}

/** The memory of all script hosts of this process together. When it is used up, the largest one has to end. */
export class MemoryBudget {
  readonly limitMb: number
  readonly #used = new Map<MemoryHolder, number>()

  constructor(limitMb: number) {
    this.limitMb = limitMb
  }

  note(holder: MemoryHolder, usedMb: number): void {
    this.#used.set(holder, usedMb)
    const sumMb = [...this.#used.values()].reduce((sum, each) => sum + each, 0)
    if (sumMb <= this.limitMb) return
    const [largest, largestMb] = [...this.#used].reduce((one, other) => (other[1] > one[1] ? other : one))
    this.#used.delete(largest)
    const crowded = largestMb * 2 < sumMb
    const all = `scripts that run at the same time used ${sumMb} MB of memory, and the limit is ${this.limitMb} MB`
    const hint = crowded ? '; run fewer at once (--parallel)' : ''
    largest.exceeded(`${all}: this process used the most, ${largestMb} MB${hint}`, crowded)
  }

  release(holder: MemoryHolder): void {
    this.#used.delete(holder)
  }
}

export function describeOverLimit(usedMb: number, limitMb: number): string {
  return `the script used ${usedMb} MB of memory, and the limit is ${limitMb} MB`
}

export function toMegabytes(bytes: number): number {
  return Math.floor(bytes / bytesInMb)
}

/** Scripts may use half of a machine or container, or 2 GB where that leaves enough for everything else. */
export function memoryLimitMb(machineBytes: number, containerBytes = 0): number {
  // Without a limit, `containerBytes` is 0 or a huge number.
  const mb = toMegabytes(containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes)
  return Math.floor(Math.min(maxLimitMb, Math.max(mb / 2, Math.min(enoughMb, mb - leftMb))))
}

/** Shared by all script hosts that this process starts. */
export const sharedBudget = new MemoryBudget(memoryLimitMb(totalmem(), process.constrainedMemory()))
