import { isSameKey, type Key } from '../../results/key.ts'
import { MemoryTape, type RedactCall } from '../../scope/recording/tape.ts'
import type { PlayTape, TapeData, Tapes } from '../../scope/tape.ts'
import type { JobReport, RunOffer } from './messages.ts'

/** The tapes of one job: what is answered from a recording has come with it, and what is recorded goes back with its results. */
export class JobTapes implements Tapes {
  /** What was recorded of each play. */
  readonly kept: NonNullable<JobReport['tapes']> = []
  readonly #given: readonly { key: Key; data: TapeData }[]
  readonly #empty: TapeData
  readonly #redact: RedactCall

  constructor(
    given: readonly { key: Key; data: TapeData }[],
    { keeps, rules }: NonNullable<RunOffer['tapes']>,
    redact: RedactCall,
  ) {
    this.#given = given
    this.#empty = { keeps, ...(rules && { rules }) }
    this.#redact = redact
  }

  open(key: Key): PlayTape {
    const data = this.#given.find((each) => isSameKey(each.key, key))?.data ?? this.#empty
    return new MemoryTape(data, this.#redact, (end) => void this.kept.push({ key, ...end }))
  }

  /** Further attempts are made by the coordinator. */
  has(): boolean {
    return true
  }
}
