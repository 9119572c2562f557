import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { ConfigError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { createNetwork, type Network, type NetworkOptions } from '../../models/network/network.ts'
import { readProxies } from '../../models/network/proxies.ts'
import { requireBuiltIn } from '../../require-package.ts'
import type { Environment } from '../../system/environment.ts'
import type { Config } from '../config-schema.ts'
import type { Project } from '../project.ts'
import { expandEnv } from './env.ts'

type NetworkConfig = NonNullable<Config['network']>

/** The network settings of the config and the environment. Throws before anything runs if they are wrong. */
export function openNetwork(
  project: Project,
  load: Pick<NetworkOptions, 'connections' | 'respectsRateLimits'>,
): Network {
  const { proxy, no_proxy, ca, headers = {} } = project.config.network ?? {}
  const settings = {
    proxy: typeof proxy === 'string' ? expandEnv(proxy, 'network.proxy', project.env) : proxy,
    noProxy: no_proxy === undefined ? undefined : [no_proxy].flat().join(','),
  }
  return createNetwork({
    ...load,
    proxies: readProxies(defined(settings), project.env),
    certificates: [ca ?? []].flat().map((path) => readCertificates(project, path)),
    headers: readHeaders(headers, project.env),
    env: project.env,
  })
}

function readCertificates(project: Project, path: string): string {
  const file = resolve(project.root, path)
  const fault = (what: string) => {
    const message = `network.ca: ${relative(project.cwd, file)} ${what}`
    const hint = 'name a PEM file, relative to the folder of the config'
    return new ConfigError({ code: 'bad_ca', message, hint })
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fault(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? errorMessage(error)}`)
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []
  if (certificates.length === 0) throw fault('contains no certificate')
  try {
    for (const certificate of certificates) new X509Certificate(certificate)
  } catch (error) {
    throw fault(`contains a certificate that cannot be read: ${errorMessage(error)}`)
  }
  return certificates.join('\n')
}

/** These headers are set by the connection itself. */
const reservedHeaders = [
  'connection',
  'content-length',
  'host',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
]

function readHeaders(
  headers: NonNullable<NetworkConfig['headers']>,
  env: Environment,
): Record<string, string> {
  const read = Object.entries(headers).map(([name, text]) => {
    const where = `network.headers.${name}`
    const value = expandEnv(text, where, env)
    const fault = headerProblem(name, value)
    if (fault !== undefined) throw new ConfigError({ code: 'bad_header', message: `${where} ${fault}` })
    return [name.toLowerCase(), value] as const
  })
  return Object.fromEntries(read)
}

function headerProblem(name: string, value: string): string | undefined {
  if (reservedHeaders.includes(name.toLowerCase())) return 'cannot be set'
  const { validateHeaderName, validateHeaderValue } = requireBuiltIn(
    'node:http',
  ) as typeof import('node:http')
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return undefined
  } catch {
    // The message from Node would show the value.
    return 'is not a header: check its name, and that there is no line break in it'
  }
}
