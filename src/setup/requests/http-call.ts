import { InfrastructureError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'

/** A request as it goes out, or why it cannot. */
export type HttpCall = HttpRequestCall | { problem: string }

export interface HttpRequestCall {
  url: URL
  method: string
  headers: [name: string, value: string][]
  body?: string
}

type Argument = 'method' | 'url' | 'payload' | 'files' | 'query' | 'headers'

const withPayload: Argument[] = ['url', 'payload', 'query', 'headers']

/** What the arguments of each process are. */
const signatures: Record<string, { method?: string; args: Argument[] } | undefined> = {
  __proto__: null as never,
  'http.Get': { method: 'GET', args: ['url', 'query', 'headers'] },
  'http.Post': { method: 'POST', args: ['url', 'payload', 'files', 'query', 'headers'] },
  'http.Put': { method: 'PUT', args: withPayload },
  'http.Patch': { method: 'PATCH', args: withPayload },
  'http.Delete': { method: 'DELETE', args: withPayload },
  'http.Head': { method: 'HEAD', args: withPayload },
  'http.Send': { args: ['method', ...withPayload, 'files'] },
}

/** Throws where a script asks for what viva does not have. */
export function parseHttpCall(name: string, args: readonly unknown[]): HttpCall {
  const signature = signatures[name]
  if (signature === undefined) throw notThere(name)
  const given = Object.fromEntries(
    signature.args.map((argument, index) => [argument, args[index] ?? undefined]),
  )
  if (typeof given.url !== 'string') throw new TypeError(`${name} needs a URL`)
  if (signature.method === undefined && (typeof given.method !== 'string' || given.method === ''))
    throw new TypeError(`${name} needs a method: http.Send("POST", url, …)`)
  const method = signature.method ?? String(given.method).toUpperCase()
  const headers = listPairs(given.headers, `the headers of ${name}`)
  refuseFiles(name, given.files, headers)
  const url = parseHttpUrl(given.url, listPairs(given.query, `the query of ${name}`))
  if (url === undefined) return { problem: `${given.url} is no http:// or https:// URL` }
  return { url, method, ...encodeBody(given.payload, method, headers) }
}

function refuseFiles(name: string, files: unknown, headers: readonly [string, string][]): void {
  const sent = Array.isArray(files)
    ? files.length > 0
    : isRecord(files)
      ? Object.keys(files).length > 0
      : files
  if (sent || typeIn(headers)?.startsWith('multipart/')) throw notThere(`${name} with files`, name)
}

/** That viva does not have it is not the fault of who asks. */
function notThere(what: string, name = what): InfrastructureError {
  return new InfrastructureError(
    'stub',
    `${what}: viva does not have it. A mock or a stub can stand in for ${name}`,
  )
}

/** The query goes behind what the URL already says. */
function parseHttpUrl(text: string, query: readonly [string, string][]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** `{ a: 1 }`, `[["a", 1]]`, `[{ a: 1 }]`, `["a=1"]` or `"a=1"`; several values of a name may be a list. */
function listPairs(given: unknown, what: string): [string, string][] {
  if (given === undefined) return []
  if (typeof given === 'string') return [...new URLSearchParams(given)]
  if (isRecord(given))
    return Object.entries(given).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, toHeaderText(each)]),
    )
  if (!Array.isArray(given))
    throw new TypeError(`${what}: an object or a list is needed, got ${typeof given}`)
  return given.flatMap((each: unknown): [string, string][] =>
    Array.isArray(each) && typeof each[0] === 'string'
      ? [[each[0], toHeaderText(each[1])]]
      : listPairs(each ?? undefined, what),
  )
}

function toHeaderText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function typeIn(headers: readonly [string, string][]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase()
}

/** A text goes as it is, an object as JSON, or as a form where the headers say so. */
function encodeBody(
  payload: unknown,
  method: string,
  headers: [string, string][],
): Pick<HttpRequestCall, 'headers' | 'body'> {
  if (payload === undefined || method === 'GET' || method === 'HEAD') return { headers }
  const type = typeIn(headers)
  const sent: [string, string][] =
    type === undefined ? [...headers, ['Content-Type', 'application/json; charset=utf-8']] : headers
  if (typeof payload === 'string') return { headers: sent, body: payload }
  if (type?.startsWith('application/x-www-form-urlencoded'))
    return { headers: sent, body: new URLSearchParams(listPairs(payload, 'the form')).toString() }
  return { headers: sent, body: JSON.stringify(payload) }
}
