const unitMs: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

const whole =
  /^(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g

/** The longest time a timer can wait (2^31 - 1 ms, 24.8 days); longer ones would fire immediately. */
const longestMs = 2 ** 31 - 1

/** Parses Go's duration grammar (`1m30s`). Undefined for anything else, for zero, and for more than a timer can wait. */
export function parseDuration(text: string): number | undefined {
  const total = totalMs(text)
  return total === undefined || rangeProblem(total) !== undefined ? undefined : total
}

/** The problem of a valid duration that is out of range. */
export function durationRangeProblem(text: string): string | undefined {
  const total = totalMs(text)
  return total === undefined ? undefined : rangeProblem(total)
}

/** The problem of a time in milliseconds that is out of range. */
export function rangeProblem(ms: number): string | undefined {
  if (ms <= 0) return 'must be longer than 0'
  return ms > longestMs ? `must be at most ${Math.floor(longestMs / 3_600_000)}h (24 days)` : undefined
}

function totalMs(text: string): number | undefined {
  if (!whole.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(part))
    total += Number(amount) * (unitMs[unit ?? ''] ?? Number.NaN)
  return total
}

/** The short form that messages print: `5m`, `1m30s`, `250ms`. */
export function shortDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms * 1000) / 1000}ms`
  const parts: string[] = []
  let rest = ms
  for (const unit of ['h', 'm'] as const) {
    const size = unitMs[unit] ?? 1
    if (rest >= size) {
      parts.push(`${Math.floor(rest / size)}${unit}`)
      rest %= size
    }
  }
  if (rest > 0) parts.push(`${Math.round(rest) / 1000}s`)
  return parts.join('')
}

/** `12ms`, `1.2s`, `1m30s`: rounded for people. */
export function shortTime(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)}ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : shortDuration(Math.round(ms / 1000) * 1000)
}
