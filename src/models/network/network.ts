import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { requireBuiltIn } from '../../require-package.ts'
import type { Environment } from '../../system/environment.ts'
import type { Proxies, ProxyServer } from './proxies.ts'
import { checkFetchedAnswer } from './readable-answer.ts'

/** How requests are sent: the same way for models, agents, services and tools. */
export interface Network {
  /** Sent with every request to a connector or an agent, unless it sets the same header; names are in lower case. */
  headers: Readonly<Record<string, string>>
  /** The proxy that is used for a URL, as messages show it. */
  proxyTo(url: URL): string | undefined
  /** Whether models wait for what their servers report about limits (`x-ratelimit-…`). */
  respectsRateLimits: boolean
  /** A promise only until the first connection is opened. */
  dispatcherTo(url: URL): Dispatcher | Promise<Dispatcher>
  /**
   * For libraries that need a `fetch`. It uses the proxies and certificates; headers are up to the caller. `onSent` is
   * called when the request has a connection. An answer that is too large or has an unknown encoding is an error.
   */
  fetch: Fetch
  /** Values that no report may show. */
  secrets: readonly string[]
  /** Closes all connections, including those that never answered. */
  close(): Promise<void>
}

export type Fetch = (url: string | URL, init?: RequestInit, onSent?: () => void) => Promise<Response>

export interface NetworkOptions {
  /** How many connections may be open to one server at once. */
  connections: number
  /** Default false. */
  respectsRateLimits?: boolean
  proxies?: Proxies
  /** Certificates (PEM) that are trusted in addition to Node's. */
  certificates?: readonly string[]
  headers?: Record<string, string>
  env?: Environment
}

/** How long a proxy may take to answer CONNECT: the same as undici's limit for connections. */
const tunnelMs = 10_000

const direct: Proxies = { proxyFor: () => undefined, secrets: [] }

export function createNetwork(options: NetworkOptions): Network {
  const { connections, proxies = direct, certificates = [], headers = {}, env = process.env } = options
  // Made once: it takes milliseconds, and every connection would make its own.
  const secureContext = certificates.length === 0 ? undefined : createTrustContext(certificates, env)
  const tls = secureContext === undefined ? {} : { secureContext }
  const calls = createDispatchers(proxies, { connections, tls })
  // Unlimited, because libraries keep streams open while they send other requests.
  const fetches = createDispatchers(proxies, { connections: null, tls })
  return {
    headers,
    respectsRateLimits: options.respectsRateLimits ?? false,
    proxyTo: (url) => proxies.proxyFor(url)?.shown,
    dispatcherTo: calls.to,
    async fetch(address, init, onSent) {
      const url = new URL(address)
      const isPlain = secureContext === undefined && proxies.proxyFor(url) === undefined
      if (isPlain && onSent === undefined)
        return checkFetchedAnswer(await fetch(url, init), url, init?.method)
      const found = await fetches.to(url)
      // Node's own fetch has its own undici, which may not work with our dispatchers.
      const undici = await import('undici')
      const { fetch: fetchThrough } = undici
      const dispatcher = onSent === undefined ? found : found.compose(createSentInterceptor(undici, onSent))
      // A separate signal: undici checks the listener limit of the signal it gets, which Node refuses when that is 0.
      const signal = init?.signal ? AbortSignal.any([init.signal]) : null
      const sent = { ...init, signal, dispatcher } as Parameters<typeof fetchThrough>[1]
      return checkFetchedAnswer((await fetchThrough(url, sent)) as unknown as Response, url, init?.method)
    },
    secrets: [...proxies.secrets, ...Object.values(headers)],
    async close() {
      await Promise.all([calls.close(), fetches.close()])
    },
  }
}

function createSentInterceptor(
  { DecoratorHandler }: Pick<typeof import('undici'), 'DecoratorHandler'>,
  onSent: () => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const onRequestStart: Dispatcher.DispatchHandler['onRequestStart'] = (...started) => {
      onSent()
      handler.onRequestStart?.(...started)
    }
    return dispatch(options, Object.assign(new DecoratorHandler(handler), { onRequestStart }))
  }
}

interface DispatcherSettings {
  /** How many to one server at once; null for no limit. */
  connections: number | null
  tls: { secureContext?: SecureContext }
  /** Sockets of direct connections, including those that are still connecting. */
  sockets: Set<Socket>
}

/** Opens one dispatcher per proxy and one for direct connections, each when it is first needed. */
function createDispatchers(proxies: Proxies, given: Omit<DispatcherSettings, 'sockets'>) {
  const settings: DispatcherSettings = { ...given, sockets: new Set() }
  const opened = new Map<ProxyServer | undefined, Dispatcher | Promise<Dispatcher>>()
  return {
    to(url: URL): Dispatcher | Promise<Dispatcher> {
      const proxy = proxies.proxyFor(url)
      const known = opened.get(proxy)
      if (known !== undefined) return known
      const opening = proxy === undefined ? openDirect(settings) : openProxy(proxy, settings)
      opened.set(proxy, opening)
      return opening.then((dispatcher) => {
        opened.set(proxy, dispatcher)
        return dispatcher
      })
    },
    async close(): Promise<void> {
      const dispatchers = await Promise.all(opened.values())
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()))
      // undici does not close sockets that are still connecting, which would keep the process alive.
      for (const socket of settings.sockets) socket.destroy()
    },
  }
}

function poolOptions(connections: number | null) {
  return { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }
}

async function openDirect({ connections, tls, sockets }: DispatcherSettings): Promise<Dispatcher> {
  const { Agent, buildConnector } = await import('./undici-agent.ts')
  const open = buildConnector(tls)
  return new Agent({
    ...poolOptions(connections),
    connect(options, callback) {
      const socket = open(options, callback)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
  })
}

async function openProxy(
  { url, authorization }: ProxyServer,
  { connections, tls }: DispatcherSettings,
): Promise<Dispatcher> {
  const { Pool, ProxyAgent } = await import('undici')
  const pool = poolOptions(connections)
  return new ProxyAgent({
    ...pool,
    uri: url.href,
    ...(authorization === undefined ? {} : { token: authorization }),
    // Many proxies allow tunnels to port 443 only: requests without encryption are sent to the proxy itself.
    proxyTunnel: false,
    factory: (origin, options) => new Pool(origin, { ...pool, ...options }),
    // This client opens the tunnels.
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: tunnelMs }),
    requestTls: tls,
    proxyTls: tls,
  })
}

/** Naming authorities replaces all that Node trusts, so those are named too. */
function createTrustContext(certificates: readonly string[], env: Environment): SecureContext {
  const { createSecureContext, rootCertificates } = requireBuiltIn('node:tls') as typeof import('node:tls')
  return createSecureContext({ ca: [...rootCertificates, ...readExtraCertificates(env), ...certificates] })
}

/** Node says itself when it cannot read them. */
function readExtraCertificates({ NODE_EXTRA_CA_CERTS: path }: Environment): string[] {
  try {
    return path ? [readFileSync(path, 'utf8')] : []
  } catch {
    return []
  }
}
