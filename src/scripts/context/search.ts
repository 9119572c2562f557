import type { Asking } from './asking.ts'

/** `ctx.search`: a service of the engine. Each is asked for as a process, for which a mock or the config may stand in. */
export function createSearch(bridge: Pick<Asking, 'ask'>) {
  const ask =
    (name: string) =>
    <Result = unknown>(...args: unknown[]): Result =>
      bridge.ask({ kind: 'process', name: `ctx.search.${name}`, args }) as Result
  return {
    Web: ask('Web'),
    KB: ask('KB'),
    DB: ask('DB'),
    All: ask('All'),
    Any: ask('Any'),
    Race: ask('Race'),
  }
}
