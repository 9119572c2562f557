import { drawFor } from './random.ts'

/**
 * A fault that a request asks for, in the name of its model or its message: `fault:status=429;retry-after=1;times=2`.
 * Parts are `name` or `name=value`; special characters in values are encoded as in a URL (`%20`).
 */
export type Fault = ReadonlyMap<string, string>

export const noFault: Fault = new Map()

export function faultIn(text: string): Fault | undefined {
  const written = /\bfault:(\S+)/.exec(text)?.[1]
  if (written === undefined) return undefined
  return new Map(
    written.split(';').map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name, decodeURIComponent(value.join('='))]
    }),
  )
}

/** Writes a fault as text for a request. */
export function faultText(parts: Record<string, string | number | true>): string {
  const written = Object.entries(parts).map(([name, value]) =>
    value === true ? name : `${name}=${encodeURIComponent(value)}`,
  )
  return `fault:${written.join(';')}`
}

/** `mix=SEED`: a tenth is rejected, a twentieth reset, and a fiftieth never answered. */
export function drawFault(seed: string, text: string, attempt: number): Fault {
  const draw = drawFor(seed, text, attempt)
  if (draw < 0.1) return new Map([['status', '429'], ...retryAfterFor(seed, text, attempt)])
  if (draw < 0.15) return new Map([['reset', draw < 0.125 ? 'before' : 'body']])
  if (draw < 0.17) return new Map([['stall', draw < 0.16 ? 'before' : 'body']])
  return noFault
}

function retryAfterFor(seed: string, text: string, attempt: number): [string, string][] {
  const draw = drawFor(seed, text, attempt, 'wait')
  if (draw < 0.6) return [['retry-after-ms', '40']]
  if (draw < 0.96) return [['retry-after', '0.08']]
  // Long waits are rare, because all cases wait with the rejected one.
  return draw < 0.98 ? [['retry-after', '1']] : [['retry-date', '1']]
}

/** The headers of a `status`, and how long it asks to wait; undefined if that is unclear. */
export function retryAfter(fault: Fault): { headers: Record<string, string>; waitMs?: number } {
  const [ms, seconds, date] = [fault.get('retry-after-ms'), fault.get('retry-after'), fault.get('retry-date')]
  if (date !== undefined) {
    // A date has whole seconds only.
    const until = Math.ceil(Date.now() / 1000 + Number(date)) * 1000
    return { headers: { 'retry-after': new Date(until).toUTCString() }, waitMs: until - Date.now() }
  }
  if (ms !== undefined) return { headers: { 'retry-after-ms': ms }, waitMs: Number(ms) }
  if (seconds === undefined) return { headers: {} }
  const isAmount = /^\d+(\.\d+)?$/.test(seconds)
  return { headers: { 'retry-after': seconds }, ...(isAmount && { waitMs: Number(seconds) * 1000 }) }
}
