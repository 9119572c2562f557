import type { TokenUsage } from '../results/transcript/reply.ts'
import { parseDuration } from '../text/duration.ts'
import type { HttpHead } from './http-client.ts'

type Headers = HttpHead['headers']

const units = ['requests', 'tokens'] as const

interface Remaining {
  count: number
  /** On the clock of `performance.now`. */
  until: number
}

/** Many servers report when a limit is reset completely. Part of it is available earlier, so they are asked again. */
const maxWaitMs = 60_000

/** What a server has said about its limits: how many requests and tokens remain, and until when. */
export class ServerQuota {
  readonly #remaining = new Map<(typeof units)[number], Remaining>()
  #calls = 0
  #tokens = 0

  /** Reads the headers of OpenAI (and servers like it) and of Anthropic. */
  update(headers: Headers): void {
    for (const unit of units) {
      const count = readCount(
        headers,
        `x-ratelimit-remaining-${unit}`,
        `anthropic-ratelimit-${unit}-remaining`,
      )
      const resetMs =
        parseReset(headers[`x-ratelimit-reset-${unit}`]) ??
        parseDate(headers[`anthropic-ratelimit-${unit}-reset`])
      if (count === undefined || resetMs === undefined) continue
      this.#remaining.set(unit, { count, until: performance.now() + Math.min(resetMs, maxWaitMs) })
    }
  }

  /** Learns how many tokens a call takes. */
  addUsage({ inputTokens = 0, outputTokens = 0 }: TokenUsage): void {
    this.#calls += 1
    this.#tokens += inputTokens + outputTokens
  }

  /** When another call may begin. Those that are running may not be counted by the server yet. */
  notBefore(running: number): number {
    if (this.#remaining.size === 0) return 0
    const times = units.map((unit) => {
      const { count, until } = this.#remaining.get(unit) ?? { count: Number.POSITIVE_INFINITY, until: 0 }
      const calls = unit === 'requests' ? count : count / this.#tokensPerCall()
      return calls - running < 1 ? until : 0
    })
    return Math.max(...times)
  }

  #tokensPerCall(): number {
    return Math.max(1, this.#tokens / Math.max(1, this.#calls))
  }
}

function readCount(headers: Headers, ...names: string[]): number | undefined {
  const text = names.map((name) => headers[name]).find((value) => value !== undefined)
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined
}

/** `1s`, `6m0s`, `2m59.56s`, `20ms`, or a number of seconds. */
function parseReset(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text)
}

function parseDate(text: unknown): number | undefined {
  const date = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
