import { isRecord } from '../../json/json.ts'

/** One place in which two requests differ. Absent values are undefined. */
export interface Change {
  /** `messages[0].content` */
  path: string
  recorded: unknown
  now: unknown
}

/** The places in which two values differ, in the order of the recorded one, at most `limit`. */
export function listChanges(recorded: unknown, now: unknown, limit: number): Change[] {
  const changes: Change[] = []
  compare('', recorded, now, changes, limit)
  return changes
}

function compare(path: string, recorded: unknown, now: unknown, changes: Change[], limit: number): void {
  if (changes.length >= limit || Object.is(recorded, now)) return
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index++)
      compare(`${path}[${index}]`, recorded[index], now[index], changes, limit)
  } else if (isRecord(recorded) && isRecord(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const name = /^[\w$]+$/.test(key) ? key : JSON.stringify(key)
      compare(path === '' ? name : `${path}.${name}`, recorded[key], now[key], changes, limit)
    }
  } else changes.push({ path: path === '' ? 'it' : path, recorded, now })
}
