import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { ConfigError } from '../../errors.ts'
import type { RunKeys } from './keys.ts'

/** How long the mark stays without its coordinator. */
const keptMs = 8000
const askAgainMs = 500

const renewScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 'taken' end
if redis.call('EXISTS', KEYS[2]) == 1 then return 'ended' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[3], ARGV[3])
return 'own'`

const announceScript = `
local holder = redis.call('GET', KEYS[1])
if (holder and holder ~= ARGV[1]) or redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[4], ARGV[3], ARGV[4])
return 1`

/** `taken`: another coordinator has it. `ended`: the run was removed. */
export type MarkState = 'own' | 'taken' | 'ended'

/** Shows that a run has a coordinator, and that it is this one. */
export class CoordinatorMark {
  readonly text = randomUUID()
  readonly #redis: Redis
  readonly #keys: RunKeys

  constructor(redis: Redis, keys: RunKeys) {
    this.#redis = redis
    this.#keys = keys
  }

  /** Waits for the mark of an earlier coordinator to expire, which does not happen while that one is there. */
  async take(onWait: () => void): Promise<void> {
    const until = performance.now() + keptMs + 2 * askAgainMs
    while ((await this.#redis.set(this.#keys.coordinator, this.text, 'PX', keptMs, 'NX')) === null) {
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

  /** `results`: how many are in the journal. */
  async renew(results: number): Promise<MarkState> {
    const { coordinator, ended, finished } = this.#keys
    const keys = [coordinator, ended, finished]
    const values = [this.text, String(keptMs), String(results)]
    return (await this.#redis.eval(renewScript, keys.length, ...keys, ...values)) as MarkState
  }

  /** Lets workers find the run, unless it was removed, or is another coordinator's. */
  async announce(
    runs: string,
    { run, generation, offer }: { run: string; generation: string; offer: string },
  ): Promise<void> {
    const keys = [this.#keys.coordinator, this.#keys.ended, this.#keys.generation, runs]
    await this.#redis.eval(announceScript, keys.length, ...keys, this.text, generation, run, offer)
  }
}
