import type { FaultServer } from './server.ts'

/** How often a part does something: in the short form, which is part of `npm test`, and in the long form. */
export interface Counts {
  [name: string]: { short: number; long: number }
}

export interface PartRun {
  seed: number
  long: boolean
  server: FaultServer
  card: Scorecard
  count(name: string): number
  progress(text: string): void
}

export interface Part {
  about: string
  counts: Counts
  /** What this machine lacks for it. */
  missing?(): string | undefined
  run(run: PartRun): Promise<void>
}

/** How many broken promises of one kind are printed; the table counts all of them. */
const mostShown = 20

interface Row {
  checked: number
  broken: string[]
}

/** Which promises were checked, how often, and how they were broken. */
export class Scorecard {
  readonly promises = new Map<string, Row>()
  readonly figures = new Map<string, string>()
  readonly #onBroken: (text: string) => void

  constructor(onBroken: (text: string) => void) {
    this.#onBroken = onBroken
  }

  /** `detail` says what happened instead and how to repeat it. */
  check(promise: string, kept: boolean, detail: string): boolean {
    const row = this.promises.get(promise) ?? { checked: 0, broken: [] }
    this.promises.set(promise, row)
    row.checked += 1
    if (kept) return true
    row.broken.push(detail)
    if (row.broken.length <= mostShown)
      this.#onBroken(`BROKEN: ${promise}\n        ${detail.replaceAll('\n', '\n        ')}`)
    return false
  }

  figure(name: string, value: string | number): void {
    this.figures.set(name, String(value))
  }

  get isBroken(): boolean {
    return [...this.promises.values()].some(({ broken }) => broken.length > 0)
  }

  /** A run that checked nothing does not pass. */
  get isEmpty(): boolean {
    return this.promises.size === 0
  }
}

/** Works through all items, `parallel` at a time. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
