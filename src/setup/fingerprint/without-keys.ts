import { isRecord } from '../../json/json.ts'
import { redactAgentName } from '../../models/network/address.ts'
import { isSecretField } from '../../privacy/secret-variables.ts'

/** A value without what looks like a secret in it: fields named like secrets, and the credentials of addresses. */
export function withoutKeys(value: unknown): unknown {
  if (typeof value === 'string') return redactAgentName(value)
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(
    ([name, field]) => typeof field !== 'string' || !isSecretField(name, field),
  )
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutKeys(field)]))
}
