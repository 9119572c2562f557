import { AsyncLocalStorage } from 'node:async_hooks'
import type { Network } from '../models/network/network.ts'
import type { Play } from '../scope/play.ts'

/** The play that the current request is sent for. */
const current = new AsyncLocalStorage<Play>()

/** Lets servers shared by cases tell them apart by an opaque id: in `_meta` of a call, and in a header. */
export function callWithCaseId<T>(play: Play | undefined, call: (meta: object) => Promise<T>): Promise<T> {
  if (play === undefined) return call({})
  return current.run(play, () => call({ _meta: { 'viva/case': play.id } }))
}

export function createFetchWithCaseId(fetch: Network['fetch']): Network['fetch'] {
  return (address, init) => {
    const play = current.getStore()
    if (play === undefined) return fetch(address, init)
    const headers = new Headers(init?.headers)
    headers.set('x-viva-case', play.id)
    return fetch(address, { ...init, headers })
  }
}
