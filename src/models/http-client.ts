import type { Dispatcher } from 'undici'
import { ConfigError, errorMessage, InfrastructureError } from '../errors.ts'
import type { AbortState } from '../scope/stop.ts'
import { type BodyDecoder, createBodyDecoder } from './body-decoder.ts'
import { parseContentEncodings } from './network/content-encoding.ts'
import type { Network } from './network/network.ts'
import {
  addProxyToError,
  awaitConnection,
  createProxyRefusalError,
  describeConnection,
  noteConnected,
  readProxyStatus,
} from './network/proxy-errors.ts'

/** How long a server may take to end a body after we have read all we want, before we hang up. */
const endGraceMs = 250

export interface HttpRequest {
  url: URL
  /** Default POST. */
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET'
  headers: Record<string, string>
  body?: string
  network: Network
}

export interface HttpHead {
  status: number
  statusText: string
  headers: Record<string, string | string[] | undefined>
}

/** Reads the pieces of a body into one value. The call rejects with what it throws. */
export interface BodyReader<T> {
  /** Returns true when nothing more is needed: the rest is dropped. */
  push(chunk: Buffer): boolean
  /** How much longer to wait for more, if what came so far may be the whole answer. */
  graceMs?(): number | undefined
  /** `cut` says why the body ended early, if it did. */
  end(cut: InfrastructureError | undefined): T
}

type ReadBody<T> = (head: HttpHead) => BodyReader<T>

/**
 * Makes one attempt at one request. Throws `InfrastructureError` when the answer is missing or incomplete. There are no
 * time limits here: an aborted signal rejects with its reason at once and closes the connection.
 */
export function sendRequest<T>(request: HttpRequest, signal: AbortState, readBody: ReadBody<T>): Promise<T> {
  const { url, network } = request
  const proxy = network.proxyTo(url)
  awaitConnection(request, () => describeConnection(hostAndPort(url), proxy))
  const send = (dispatcher: Dispatcher) =>
    new Promise<T>((resolve, reject) => {
      const call = new Call<T>(request, proxy, signal, readBody, resolve, reject)
      call.dispatch(dispatcher)
    })
  const found = network.dispatcherTo(url)
  return found instanceof Promise ? found.then(send) : send(found)
}

/** A call under way, driven by undici. Its `request()` would add a stream, which takes a quarter more time. */
class Call<T> implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest
  readonly #url: URL
  readonly #proxy: string | undefined
  readonly #signal: AbortState
  readonly #readBody: ReadBody<T>
  readonly #resolve: (value: T) => void
  readonly #reject: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #reader: BodyReader<T> | undefined
  #decoder: BodyDecoder | undefined
  /** The reader needs nothing more. */
  #isOver = false
  #endTimer: NodeJS.Timeout | undefined
  #settled = false

  constructor(
    request: HttpRequest,
    proxy: string | undefined,
    signal: AbortState,
    readBody: ReadBody<T>,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#request = request
    this.#url = request.url
    this.#proxy = proxy
    this.#signal = signal
    this.#readBody = readBody
    this.#resolve = resolve
    this.#reject = reject
  }

  dispatch(dispatcher: Dispatcher): void {
    if (this.#signal.aborted) {
      this.#fail(this.#signal.reason)
      return
    }
    this.#signal.addEventListener('abort', this.#onAbort)
    const { origin, path } = addressOf(this.#url)
    const { headers, body = null, method = 'POST' } = this.#request
    try {
      dispatcher.dispatch({ origin, path, method, headers, body }, this)
    } catch (error) {
      this.#fail(toTransportError(error, this.#url))
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    noteConnected(this.#request)
    this.#controller = controller
    // It was abandoned while it waited for a connection.
    if (this.#settled) this.#hangUp()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: HttpHead['headers'],
    statusText = '',
  ): void {
    if (status < 200 || this.#settled) return
    this.#attempt(() => {
      this.#reader = this.#readBody({ status, statusText, headers })
      const from = hostAndPort(this.#url)
      const encodings = parseContentEncodings(headers['content-encoding']?.toString(), from)
      if (encodings instanceof InfrastructureError) this.#stop(encodings)
      else this.#decoder = createBodyDecoder(encodings, from, { push: this.#read, end: this.#stop })
    })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#isOver) return
    this.#decoder?.push(chunk)
  }

  #read = (chunk: Buffer): void => {
    if (this.#settled || this.#isOver) return
    this.#attempt(() => {
      this.#isOver = this.#reader?.push(chunk) === true
      // Wait for the end, because a connection whose answer has ended can be used again.
      const graceMs = this.#isOver ? endGraceMs : this.#reader?.graceMs?.()
      clearTimeout(this.#endTimer)
      if (graceMs !== undefined) this.#endTimer = setTimeout(this.#onGraceOver, graceMs)
    })
  }

  onResponseEnd(): void {
    // There is nothing left to abort: the connection may already serve another call.
    this.#controller = undefined
    this.#decoder?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return
    const refused = readProxyStatus(error)
    if (refused !== undefined && this.#proxy !== undefined) {
      this.#fail(createProxyRefusalError(refused, hostAndPort(this.#url), this.#proxy, error))
      return
    }
    const problem = toTransportError(error, this.#url, this.#reader !== undefined)
    if (this.#decoder !== undefined && problem instanceof InfrastructureError) this.#decoder.end(problem)
    else this.#fail(problem)
  }

  #stop = (problem?: InfrastructureError): void => {
    // undici frees a connection in the next turn of the event loop: calls made before that open another one.
    if (problem === undefined) queueMicrotask(() => setImmediate(() => this.#end(undefined)))
    else {
      // The reader knows whether it has enough.
      this.#end(problem)
      this.#hangUp()
    }
  }

  #end(cut: InfrastructureError | undefined): void {
    if (this.#settled) return
    this.#attempt(() => {
      if (this.#reader === undefined) return
      const value = this.#reader.end(cut)
      this.#settle()
      this.#resolve(value)
    })
  }

  #onAbort = (): void => this.#fail(this.#signal.reason)

  #onGraceOver = (): void => {
    this.#end(undefined)
    this.#hangUp()
  }

  #attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(reason: unknown): void {
    if (this.#settled) return
    this.#settle()
    this.#hangUp()
    this.#reject(addProxyToError(reason, this.#proxy))
  }

  #hangUp(): void {
    this.#controller?.abort(new Error('given up'))
  }

  #settle(): void {
    this.#settled = true
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#decoder?.destroy()
    clearTimeout(this.#endTimer)
  }
}

interface Address {
  origin: string
  path: string
}

/** Most calls go to the same few URLs, and a URL takes itself apart anew each time it is asked. */
const addresses = new WeakMap<URL, Address>()

function addressOf(url: URL): Address {
  const known = addresses.get(url)
  if (known !== undefined) return known
  const address = { origin: url.origin, path: `${url.pathname}${url.search}` }
  addresses.set(url, address)
  return address
}

/** Translates an error of undici or the system. An error without a code is a bug and stays as it is. */
function toTransportError(error: unknown, url: URL, answered = false): unknown {
  const code = readErrorCode(error)
  if (code === undefined) return error
  // When several addresses were tried, the combined error has no message; others only repeat code and address.
  const text = errorMessage(error)
  const description = text === '' || text.includes(code) ? code : `${code}: ${text}`
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    const message = `cannot send a request to ${hostAndPort(url)}: ${description}`
    return new ConfigError({ code: 'invalid_request', message, hint: 'check its headers and its key' })
  }
  if (!answered && (code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')) {
    const message = `${hostAndPort(url)} does not speak HTTP: ${description}`
    return new InfrastructureError('bad_response', message, { cause: error })
  }
  const [kind, what] = answered
    ? (['truncated', `the answer of ${hostAndPort(url)} was cut short`] as const)
    : (['connection', `no answer from ${hostAndPort(url)}`] as const)
  return new InfrastructureError(kind, `${what} (${description})`, { retryable: true, cause: error })
}

function readErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as Error & { code?: unknown }
  // Parser errors have many codes, and some have none.
  if (error.name === 'HTTPParserError') return error.name
  return typeof code === 'string' ? code : undefined
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`
}
