import { AsyncLocalStorage } from 'node:async_hooks'
import type { Network } from '../models/network/network.ts'
import type { Play } from '../scope/play.ts'

/** The play on whose behalf a request is sent. */
const current = new AsyncLocalStorage<Play>()

/** Servers that cases share may tell them apart by an id that says nothing else: in `_meta` of a call, and in a header. */
export function inCase<T>(play: Play | undefined, call: (meta: object) => Promise<T>): Promise<T> {
  if (play === undefined) return call({})
  return current.run(play, () => call({ _meta: { 'viva/case': play.id } }))
}

export function fetchWithCase(fetch: Network['fetch']): Network['fetch'] {
  return (address, init) => {
    const play = current.getStore()
    if (play === undefined) return fetch(address, init)
    const headers = new Headers(init?.headers)
    headers.set('x-viva-case', play.id)
    return fetch(address, { ...init, headers })
  }
}
