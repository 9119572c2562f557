import type { Redis } from 'ioredis'
import { errorMessage } from '../../errors.ts'

const beatMs = 1000
/** A connection on which so many beats were not answered is replaced: the other side may not know of it any more. */
const mostUnanswered = 10
/** Fewer are not worth a word. */
const noticedUnanswered = 2

/** Asks Redis once a second whether it is there. */
export class Heartbeat {
  readonly #redis: Redis
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  /** Beats are counted, and not time: a process that was suspended has not waited for an answer. */
  #unanswered = 0
  #lastError = ''
  #onChange: (isLost: boolean) => void = () => {}

  constructor(redis: Redis) {
    this.#redis = redis
    redis.on('error', (error: unknown) => {
      this.#lastError = describeConnectionError(error)
    })
  }

  start(): void {
    this.#timer = setInterval(() => this.#beat(), beatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Calls it when Redis is lost, and when it is back. */
  watch(onChange: (isLost: boolean) => void): void {
    this.#onChange = onChange
  }

  /** For how long there was no answer. */
  get lostMs(): number {
    return this.#unanswered * beatMs
  }

  get lastError(): string {
    return this.#lastError
  }

  #beat(): void {
    if (!this.#isAsking) {
      this.#isAsking = true
      void this.#ask()
      return
    }
    this.#unanswered += 1
    const { status } = this.#redis
    const isConnected = status === 'ready' || status === 'connect'
    if (isConnected) this.#lastError = 'it does not answer'
    if (this.#unanswered === noticedUnanswered) this.#onChange(true)
    if (isConnected && this.#unanswered % mostUnanswered === 0) this.#redis.disconnect(true)
  }

  async #ask(): Promise<void> {
    // An error is an answer, too. Without a connection, the question waits for the next one.
    await this.#redis.ping().catch(() => {})
    const wasLost = this.#unanswered >= noticedUnanswered
    this.#isAsking = false
    this.#unanswered = 0
    this.#lastError = ''
    if (wasLost) this.#onChange(false)
  }
}

export function describeConnectionError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  const message = errorMessage(error)
  return message === '' && code !== undefined ? code : message
}
