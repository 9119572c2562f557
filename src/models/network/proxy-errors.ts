import { errorMessage, InfrastructureError } from '../../errors.ts'

/** The same error, with the proxy named that may be its cause. */
export function addProxyToError(error: unknown, proxy: string | undefined): unknown {
  if (proxy === undefined || !(error instanceof InfrastructureError) || error.message.includes(proxy))
    return error
  const { kind, message, retryable, retryAfterMs, status, cause } = error
  return new InfrastructureError(kind, `${message} (through the proxy ${proxy})`, {
    retryable,
    retryAfterMs,
    status,
    cause,
  })
}

/** What calls wait for whose request nobody can have got: it has no connection yet, or never had one. */
const awaited = new WeakMap<object, () => string>()

/** `describe` is called only when somebody asks. */
export function awaitConnection(call: object, describe: () => string): void {
  awaited.set(call, describe)
}

export function describeConnection(host: string, proxy: string | undefined): string {
  return `a connection to ${host}${proxy === undefined ? '' : ` through the proxy ${proxy}`}`
}

/** What holds a call up until it is connected: the proxy, the name, the way there or the handshake. */
export function awaitedConnection(call: object): string | undefined {
  return awaited.get(call)?.()
}

export function noteConnected(call: object): void {
  awaited.delete(call)
}

/** Creates the error for a proxy that answered in place of the server. */
export function createProxyRefusalError(
  status: number,
  host: string,
  proxy: string,
  cause: unknown,
): InfrastructureError {
  const hint = status === 407 ? ' (check the name and password for it)' : ''
  const message = `the proxy ${proxy} answered ${status} to a request for ${host}${hint}`
  return new InfrastructureError('connection', message, { retryable: status >= 500, cause })
}

/** Reads the status with which a proxy refused a request from undici's message, which `fetch` hides among the causes. */
export function readProxyStatus(error: unknown): number | undefined {
  const [, status] = /Proxy (?:response|Authentication Required) \((\d+)\)/.exec(errorMessage(error)) ?? []
  if (status !== undefined) return Number(status)
  return error instanceof Error && error.cause !== undefined ? readProxyStatus(error.cause) : undefined
}
