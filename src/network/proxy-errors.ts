import { messageOf, WorldError } from '../errors.ts'

/** The same trouble, with the proxy named that may be the cause of it. */
export function throughProxy(error: unknown, proxy: string | undefined): unknown {
  if (proxy === undefined || !(error instanceof WorldError) || error.message.includes(proxy)) return error
  const { kind, message, retryable, retryAfterMs, cause } = error
  return new WorldError(kind, `${message} (through the proxy ${proxy})`, { retryable, retryAfterMs, cause })
}

/** A proxy answered in place of the server. */
export function proxyRefusal(status: number, host: string, proxy: string): WorldError {
  const hint = status === 407 ? ' (does it want a name and a password, or others?)' : ''
  const message = `the proxy ${proxy} answered ${status} when it was asked for ${host}${hint}`
  return new WorldError('connection', message, { retryable: status >= 500 })
}

/** The status with which a proxy refused a tunnel, in undici's words for it. */
export function refusedTunnel(error: unknown): number | undefined {
  const [, status] = /^Proxy response \((\d+)\) !== 200/.exec(messageOf(error)) ?? []
  return status === undefined ? undefined : Number(status)
}
