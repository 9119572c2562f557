import { errorMessage } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { buildBasicAuth, redactUrl, withoutCredentials } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import type { Scope } from '../../scope/scope.ts'
import { isChangingName } from '../../text/changing-names.ts'
import { type HttpCall, parseHttpCall } from './http-call.ts'

const largestMegabytes = 16

/** What the engine answers with too: a request that fails is no error. */
interface HttpAnswer {
  code: number
  status: number
  data: unknown
  headers: Record<string, string[]>
  message: string
}

/** `http.Get(url, …)` and its sisters. What it waits for is not on the account of who asks. */
export async function askHttp(
  name: string,
  args: readonly unknown[],
  network: Network,
  scope: Scope,
): Promise<HttpAnswer> {
  const call = parseHttpCall(name, args)
  if ('problem' in call) return noAnswer(call.problem)
  scope.context.standIn?.refuse(name)
  const { url, method, headers, body } = call
  return scope.child('tool').exchange({
    target: `${name} ${url.host}`,
    request: { method, url: redactUrl(url), ...(body !== undefined && { body }) },
    sees: () => [shownPairs(url.searchParams), shownPairs(headers)],
    perform: ({ signal }) => request(call, network, signal),
  })
}

function shownPairs(pairs: Iterable<[name: string, value: string]>): [name: string, value: string][] {
  return [...pairs].filter(([name]) => !isChangingName(name))
}

async function request(
  call: Exclude<HttpCall, { problem: string }>,
  network: Network,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { url, method, headers, body } = call
  try {
    const sent = new Headers(buildBasicAuth(url))
    for (const [name] of headers) sent.delete(name)
    for (const [name, value] of headers) sent.append(name, value)
    const init = { method, headers: sent, signal, ...(body !== undefined && { body }) }
    return await toHttpAnswer(await network.fetch(withoutCredentials(url), init))
  } catch (error) {
    // Nobody waits for it any more.
    signal.throwIfAborted()
    return noAnswer(describeHttpFailure(error))
  }
}

async function toHttpAnswer(response: Response): Promise<HttpAnswer> {
  const text = await readHttpText(response)
  const data = text === '' ? null : parseHttpData(text, response.headers.get('content-type') ?? '')
  return {
    code: response.status,
    status: response.status,
    data,
    headers: listHeaders(response.headers),
    message: isRecord(data) && typeof data.message === 'string' ? data.message : '',
  }
}

/** What says that it is JSON and is none stays text. */
function parseHttpData(text: string, type: string): unknown {
  if (!/^[^;]*[/+]json\b/i.test(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function readHttpText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > largestMegabytes * 1024 * 1024)
      throw new Error(`the answer is larger than ${largestMegabytes} MB`)
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

/** As the engine has them: `{ "Content-Type": ["text/html"] }`. */
function listHeaders(headers: Headers): Record<string, string[]> {
  const entries = [...headers]
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]) => [name, [value]] as const)
  const cookies = headers.getSetCookie()
  const all = cookies.length === 0 ? entries : [...entries, ['set-cookie', cookies] as const]
  return Object.fromEntries(all.map(([name, values]) => [inTitleCase(name), [...values]]))
}

function inTitleCase(name: string): string {
  return name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function noAnswer(message: string): HttpAnswer {
  return { code: 0, status: 0, data: null, headers: {}, message }
}

/** `fetch` hides what happened among the causes, and errors of several addresses have a code only. */
function describeHttpFailure(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each instanceof Error && reasons.length < 4; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException
    reasons.push(each.message || String(code ?? each.name))
  }
  return reasons.length === 0 ? errorMessage(error) : reasons.join(': ')
}
