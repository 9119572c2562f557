import { isRecord } from '../../json/json.ts'
import { redactAgentName } from '../../models/network/address.ts'
import { looksSecret } from '../../privacy/secret-variables.ts'

const secretFields = /^(?:key|authorization|proxy-authorization|authorization_token|cookie|set-cookie)$/i

/** A value without what looks like a secret in it: fields named like secrets, and the credentials of addresses. */
export function withoutKeys(value: unknown): unknown {
  if (typeof value === 'string') return redactAgentName(value)
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([name, field]) => !isSecret(name, field))
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutKeys(field)]))
}

function isSecret(name: string, field: unknown): boolean {
  if (typeof field !== 'string') return false
  return secretFields.test(name) || looksSecret(name.replaceAll('-', '_'), field)
}
