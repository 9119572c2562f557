import { BlockList, isIP } from 'node:net'
import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

export interface ProxyServer {
  /** Without name and password. */
  url: URL
  /** The URL as messages show it. */
  shown: string
  authorization?: string
}

/** Chooses the proxy for a request. */
export interface Proxies {
  proxyFor(url: URL): ProxyServer | undefined
  /** Names and passwords, which no report may show. */
  secrets: string[]
}

export interface ProxySettings {
  /** For all requests, overriding the environment; false for no proxy. */
  proxy?: string | false
  /** Hosts that are reached directly, instead of those in the environment. */
  noProxy?: string
}

/** Reads variables as curl does: in lower or upper case, `host:port` is `http://host:port`, and `NO_PROXY` names exceptions. */
export function readProxies({ proxy, noProxy }: ProxySettings, environment: Environment): Proxies {
  const variable = (name: string) => {
    const set = [name, name.toUpperCase()].find((candidate) => environment[candidate])
    return set === undefined ? undefined : parseProxy(environment[set] ?? '', set)
  }
  const own = proxy === undefined || proxy === false ? undefined : parseProxy(proxy, 'network.proxy')
  const byProtocol = new Map(
    ['http', 'https'].map((protocol) => [
      `${protocol}:`,
      proxy === undefined ? variable(`${protocol}_proxy`) : own,
    ]),
  )
  const isDirect = compileNoProxy(noProxy ?? (environment.no_proxy || environment.NO_PROXY || ''))
  return {
    proxyFor(url) {
      const found = byProtocol.get(url.protocol)
      return found === undefined || isDirect(url) ? undefined : found
    },
    secrets: [...new Set([...byProtocol.values()].flatMap((found) => found?.secrets ?? []))],
  }
}

/** The message does not show the text, which may contain a password. */
function parseProxy(text: string, where: string): ProxyServer & { secrets: string[] } {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const scheme = address.slice(0, address.indexOf('//')).toLowerCase()
  if (scheme !== 'http:' && scheme !== 'https:') {
    throw createBadProxyError(`${where}: a proxy must use http:// or https://, not ${scheme}//`)
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  const credentials = url && decodeCredentials(url)
  if (url === undefined || credentials === undefined)
    throw createBadProxyError(`${where} is not the URL of a proxy`)
  const { name, password } = credentials
  const both = `${name}:${password}`
  return {
    url: new URL(url.origin),
    shown: url.origin,
    ...(name === '' ? {} : { authorization: `Basic ${Buffer.from(both).toString('base64')}` }),
    secrets: name === '' ? [] : [name, password, both].filter((secret) => secret !== ''),
  }
}

function decodeCredentials(url: URL): { name: string; password: string } | undefined {
  try {
    return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  } catch {
    return undefined
  }
}

function createBadProxyError(message: string): ConfigError {
  return new ConfigError({ code: 'bad_proxy', message, hint: 'write it like http://proxy.example:3128' })
}

/** Each entry is `*`, a host with its subdomains, an address or a range, with or without a port. */
function compileNoProxy(list: string): (url: URL) => boolean {
  const rules = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(compileNoProxyRule)
  return (url) => {
    const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
    return rules.some((rule) => (rule.port === undefined || rule.port === port) && rule.matches(host))
  }
}

interface NoProxyRule {
  port?: string
  matches(host: string): boolean
}

function compileNoProxyRule(text: string): NoProxyRule {
  if (text === '*') return { matches: () => true }
  // An address with colons has a port only when it is in brackets.
  const [, name = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [undefined, text]
  const [address = '', bits] = name.replace(/^\[|\]$/g, '').split('/')
  return {
    matches: isIP(address) === 0 ? matchDomain(name.replace(/^\*?\.|\.$/g, '')) : matchRange(address, bits),
    ...(port === undefined ? {} : { port }),
  }
}

function matchDomain(name: string): NoProxyRule['matches'] {
  return (host) => host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

function matchRange(address: string, bits: string | undefined): NoProxyRule['matches'] {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const most = family === 'ipv6' ? 128 : 32
  const prefix = bits === undefined ? most : Number(bits)
  // An invalid range matches nothing.
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > most) return () => false
  const range = new BlockList()
  range.addSubnet(address, prefix, family)
  return (host) => isIP(host) !== 0 && range.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}
