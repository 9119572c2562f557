import { isRecord } from '../json/json.ts'

/** The value that `before` returned: as it is, or in a `data` field, as Yao scripts return it. */
export function unwrapPrepared(given: unknown): unknown {
  return isRecord(given) && Object.keys(given).join() === 'data' ? given.data : given
}
