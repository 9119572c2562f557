import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

/** Where a queue is. */
export interface QueueAddress {
  /** As ioredis takes it, with the password. */
  url: string
  /** Begins the names of all its keys. */
  prefix: string
  /** As messages may show it. */
  shown: string
  /** What no report may show. */
  secrets: readonly string[]
}

/** What is wrong with the value of `--queue`. */
export function queueAddressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    return 'must be the URL of a Redis server: redis://host:6379, or rediss:// for TLS'
  if (!/^\/?\d*$/.test(url.pathname)) return 'the path is the number of a database: redis://host:6379/0'
  const unknown = [...url.searchParams.keys()].find((key) => key !== 'name')
  if (unknown !== undefined)
    return `unknown option "${unknown}": the only one is ?name=, the name of the queue`
  const name = url.searchParams.get('name')
  if (name !== null && !/^[\w-]{1,60}$/.test(name))
    return 'the name of a queue has letters, digits, "-" and "_" only'
  return undefined
}

/** The variable with the password, for addresses that have none. */
const passwordVariable = 'VIVA_QUEUE_PASSWORD'

/** `redis://user:password@host:6379/0?name=nightly` */
export function parseQueueAddress(text: string, env: Environment): QueueAddress {
  const problem = queueAddressProblem(text)
  if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `--queue: ${problem}` })
  const url = new URL(text)
  const name = url.searchParams.get('name')
  url.search = ''
  const { [passwordVariable]: password } = env
  if (url.password === '' && password) url.password = encodeURIComponent(password)
  const { protocol, host, pathname } = url
  return {
    url: url.href,
    prefix: name === null ? 'viva' : `viva:${name}`,
    shown: `${protocol}//${host}${pathname === '/' ? '' : pathname}${name === null ? '' : `?name=${name}`}`,
    secrets: [url.password, decodeURIComponent(url.password)].filter((secret) => secret !== ''),
  }
}
