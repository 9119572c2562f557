import { isRecord } from '../json/json.ts'
import { repairJson } from '../json/repair-json.ts'

/** Repairs arguments that are almost a JSON object. Unclear ones are returned unchanged. */
export function repairArguments(args: unknown): unknown {
  const repaired = typeof args === 'string' ? repairJson(args)?.value : undefined
  return isRecord(repaired) ? repaired : args
}
