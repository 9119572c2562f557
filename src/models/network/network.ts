import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import type { Environment } from '../../system/environment.ts'
import type { Proxies, ProxyServer } from './proxies.ts'
import { readableAnswer } from './readable-answer.ts'

/** How requests get out: the same way for models, agents, services and tools. */
export interface Network {
  /** Go with every request to a connector or an agent that has none of the same name; in lower case. */
  headers: Readonly<Record<string, string>>
  /** The proxy on the way to a URL, as messages show it. */
  proxyTo(url: URL): string | undefined
  dispatcherTo(url: URL): Promise<Dispatcher>
  /**
   * For libraries that want one. It follows the proxies and certificates; headers are up to the caller. `onSent` is
   * called when the request has its connection. What is too large or in an encoding that is not known is an error.
   */
  fetch: Fetch
  /** What no report may show. */
  secrets: readonly string[]
  /** Hangs up, also on those who never answered. */
  close(): Promise<void>
}

export type Fetch = (url: string | URL, init?: RequestInit, onSent?: () => void) => Promise<Response>

export interface NetworkOptions {
  /** How many connections may be open to a server at once. */
  connections: number
  proxies?: Proxies
  /** Certificates (PEM) that are trusted besides those that Node trusts. */
  certificates?: readonly string[]
  headers?: Record<string, string>
  env?: Environment
}

/** How long a proxy may take to answer CONNECT: as long as connections have with undici. */
const tunnelMs = 10_000

const direct: Proxies = { proxyFor: () => undefined, secrets: [] }

export function createNetwork(options: NetworkOptions): Network {
  const { connections, proxies = direct, certificates = [], headers = {}, env = process.env } = options
  // Made once: it takes milliseconds, and every connection would make its own.
  const secureContext = certificates.length === 0 ? undefined : trusting(certificates, env)
  const tls = secureContext === undefined ? {} : { secureContext }
  const calls = createDispatchers(proxies, { connections, tls })
  // Libraries keep streams open while they ask other things.
  const fetches = createDispatchers(proxies, { connections: null, tls })
  return {
    headers,
    proxyTo: (url) => proxies.proxyFor(url)?.shown,
    dispatcherTo: calls.to,
    async fetch(address, init, onSent) {
      const url = new URL(address)
      const isPlain = secureContext === undefined && proxies.proxyFor(url) === undefined
      if (isPlain && onSent === undefined) return readableAnswer(await fetch(url, init), url, init?.method)
      const found = await fetches.to(url)
      // The one of Node brings an undici of its own, which need not get on with our dispatchers.
      const undici = await import('undici')
      const { fetch: fetchThrough } = undici
      const dispatcher = onSent === undefined ? found : found.compose(tellingSent(undici, onSent))
      // A signal of its own: it asks for the most listeners of the one it gets, which Node refuses where that is 0.
      const signal = init?.signal ? AbortSignal.any([init.signal]) : null
      const sent = { ...init, signal, dispatcher } as Parameters<typeof fetchThrough>[1]
      return readableAnswer((await fetchThrough(url, sent)) as unknown as Response, url, init?.method)
    },
    secrets: [...proxies.secrets, ...Object.values(headers)],
    async close() {
      await Promise.all([calls.close(), fetches.close()])
    },
  }
}

function tellingSent(
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
  /** To a server at once; null for as many as are needed. */
  connections: number | null
  tls: { secureContext?: SecureContext }
  /** Those that lead directly to a server, also where that is not reached yet. */
  sockets: Set<Socket>
}

/** One for each proxy, and one for what is reached directly, each opened when it is first needed. */
function createDispatchers(proxies: Proxies, given: Omit<DispatcherSettings, 'sockets'>) {
  const settings: DispatcherSettings = { ...given, sockets: new Set() }
  const opened = new Map<ProxyServer | undefined, Promise<Dispatcher>>()
  return {
    to(url: URL): Promise<Dispatcher> {
      const proxy = proxies.proxyFor(url)
      const known = opened.get(proxy)
      if (known !== undefined) return known
      const opening = proxy === undefined ? openDirect(settings) : openProxy(proxy, settings)
      opened.set(proxy, opening)
      return opening
    },
    async close(): Promise<void> {
      const dispatchers = await Promise.all(opened.values())
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()))
      // undici leaves those alone that are about to connect, which holds the process up.
      for (const socket of settings.sockets) socket.destroy()
    },
  }
}

function poolOf(connections: number | null) {
  return { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }
}

// All of undici takes 60 ms to load, its agent alone 20 (it has no exports map, and we pin its version).
async function openDirect({ connections, tls, sockets }: DispatcherSettings): Promise<Dispatcher> {
  const agents = (await import('undici/lib/dispatcher/agent.js' as string)) as { default: typeof Agent }
  const connectors = (await import('undici/lib/core/connect.js' as string)) as { default: BuildConnector }
  const open = connectors.default(tls)
  return new agents.default({
    ...poolOf(connections),
    connect(options, callback) {
      const socket = open(options, callback)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
  })
}

/** What it makes returns its socket, though its types do not say so. */
type BuildConnector = (
  options: buildConnector.BuildOptions,
) => (...args: Parameters<buildConnector.connector>) => Socket

async function openProxy(
  { url, authorization }: ProxyServer,
  { connections, tls }: DispatcherSettings,
): Promise<Dispatcher> {
  const { Pool, ProxyAgent } = await import('undici')
  const pool = poolOf(connections)
  return new ProxyAgent({
    ...pool,
    uri: url.href,
    ...(authorization === undefined ? {} : { token: authorization }),
    // Many proxies allow a tunnel to port 443 only: what is not encrypted is asked of the proxy itself.
    proxyTunnel: false,
    factory: (origin, options) => new Pool(origin, { ...pool, ...options }),
    // The one that is asked for tunnels.
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: tunnelMs }),
    requestTls: tls,
    proxyTls: tls,
  })
}

/** Naming authorities replaces all that Node trusts, so those are named too. */
function trusting(certificates: readonly string[], env: Environment): SecureContext {
  return createSecureContext({ ca: [...rootCertificates, ...extraCertificates(env), ...certificates] })
}

/** Node says itself when it cannot read them. */
function extraCertificates({ NODE_EXTRA_CA_CERTS: path }: Environment): string[] {
  try {
    return path ? [readFileSync(path, 'utf8')] : []
  } catch {
    return []
  }
}
