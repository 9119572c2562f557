import type { AnyScriptRequest } from '../../protocol/ask.ts'
import { createMissingServiceError } from './missing.ts'

type Query = Record<string, unknown> | [string, unknown][] | Record<string, unknown>[] | string | null
type Headers = Record<string, string> | Record<string, string>[] | null

export interface HttpResponse<Data = unknown> {
  /** Both are the status of the answer, and 0 when there was none. */
  code: number
  status: number
  /** Parsed if it is JSON, otherwise text. */
  data: Data
  headers: Record<string, string[]>
  /** Why there was no answer, or the `message` of the answer. */
  message: string
}

type WithPayload = [url: string, payload?: unknown, query?: Query, headers?: Headers]

/** `http.Get(url)`: called like the process of the same name, so that a mock or the config may provide it. */
export function createHttp(bridge: { ask(ask: AnyScriptRequest): unknown }) {
  const method =
    <Args extends unknown[]>(name: string) =>
    <Data = unknown>(...args: Args) =>
      bridge.ask({ kind: 'process', name: `http.${name}`, args }) as HttpResponse<Data>
  return {
    Get: method<[url: string, query?: Query, headers?: Headers]>('Get'),
    Post: method<[url: string, payload?: unknown, files?: null, query?: Query, headers?: Headers]>('Post'),
    Put: method<WithPayload>('Put'),
    Patch: method<WithPayload>('Patch'),
    Delete: method<WithPayload>('Delete'),
    Head: method<WithPayload>('Head'),
    Send: method<[method: string, ...request: WithPayload, files?: null]>('Send'),
    Stream(..._: unknown[]): never {
      throw createMissingServiceError(
        'http.Stream: viva does not have it; http.Send returns the whole answer at once',
      )
    },
  }
}
