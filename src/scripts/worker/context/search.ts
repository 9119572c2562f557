import type { BridgeEnd } from '../../protocol/asking.ts'
import { callService } from './services.ts'

/** `ctx.search`: a service of the engine. */
export function createSearch(bridge: Pick<BridgeEnd, 'ask'>) {
  const ask =
    (name: string) =>
    <Result = unknown>(...args: unknown[]): Result =>
      callService(bridge, `ctx.search.${name}`, args) as Result
  return {
    Web: ask('Web'),
    KB: ask('KB'),
    DB: ask('DB'),
    All: ask('All'),
    Any: ask('Any'),
    Race: ask('Race'),
  }
}
