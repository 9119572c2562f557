import { isRecord } from '../json/json.ts'

/** What a `before` gave: as it is, or under `data`, as scripts of the engine write it. */
export function preparedBy(given: unknown): unknown {
  return isRecord(given) && Object.keys(given).join() === 'data' ? given.data : given
}
