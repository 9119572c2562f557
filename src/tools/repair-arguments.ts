import { isRecord } from '../json/json.ts'
import { repairJson } from '../json/repair-json.ts'

/** Arguments that a model wrote as text which is almost a JSON object. What is not clear comes back unchanged. */
export function repairArguments(args: unknown): unknown {
  const repaired = typeof args === 'string' ? repairJson(args)?.value : undefined
  return isRecord(repaired) ? repaired : args
}
