import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { ConfigError } from '../../errors.ts'
import { renewMark } from './atomic.ts'
import type { RunKeys } from './keys.ts'

/** How long the mark stays without its coordinator. */
const keptMs = 8000
const askAgainMs = 500

/** Shows that a run has a coordinator, and that it is this one. */
export class CoordinatorMark {
  readonly text = randomUUID()
  readonly #redis: Redis
  readonly #key: string
  #isOwn = true

  constructor(redis: Redis, { coordinator }: RunKeys) {
    this.#redis = redis
    this.#key = coordinator
  }

  /** Waits for the mark of an earlier coordinator to expire, which does not happen while that one is there. */
  async take(onWait: () => void): Promise<void> {
    const until = performance.now() + keptMs + 2 * askAgainMs
    while ((await this.#redis.set(this.#key, this.text, 'PX', keptMs, 'NX')) === null) {
      if (performance.now() > until)
        throw new ConfigError({
          code: 'bad_queue',
          message: 'this run has a coordinator already: another viva test',
          hint: 'wait for it to end, or end it',
        })
      onWait()
      await wait(askAgainMs)
    }
  }

  /** False if another coordinator has taken over, because this one was not heard of for too long. */
  async renew(): Promise<boolean> {
    this.#isOwn = await renewMark(this.#redis, this.#key, this.text, keptMs)
    return this.#isOwn
  }

  get isOwn(): boolean {
    return this.#isOwn
  }
}
