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

type WithPayload = <Data = unknown>(
  url: string,
  payload?: unknown,
  query?: Query,
  headers?: Headers,
) => HttpResponse<Data>

/** `http.Get(url)`: called like the process of the same name, so that a mock or the config may provide it. */
export function createHttp(bridge: { ask(ask: AnyScriptRequest): unknown }) {
  const ask = <Data>(name: string, args: unknown[]) =>
    bridge.ask({ kind: 'process', name: `http.${name}`, args }) as HttpResponse<Data>
  const withPayload =
    (name: string): WithPayload =>
    (...args) =>
      ask(name, args)
  return {
    Get: <Data = unknown>(...args: [url: string, query?: Query, headers?: Headers]) => ask<Data>('Get', args),
    Post: <Data = unknown>(
      ...args: [url: string, payload?: unknown, files?: null, query?: Query, headers?: Headers]
    ) => ask<Data>('Post', args),
    Put: withPayload('Put'),
    Patch: withPayload('Patch'),
    Delete: withPayload('Delete'),
    Head: withPayload('Head'),
    Send: <Data = unknown>(
      ...args: [
        method: string,
        url: string,
        payload?: unknown,
        query?: Query,
        headers?: Headers,
        files?: null,
      ]
    ) => ask<Data>('Send', args),
    Stream(..._: unknown[]): never {
      throw createMissingServiceError(
        'http.Stream: viva does not have it; http.Send returns the whole answer at once',
      )
    },
  }
}
