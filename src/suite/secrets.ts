import type { Redactor } from '../privacy/redact.ts'
import { secretValues } from '../privacy/secret-variables.ts'
import { createGrowingRedactor } from '../privacy/secrets.ts'

/** Keys of the providers that were made in this process. Which run will show one of them, nobody knows. */
const known = new Set<string>()
/** The projects that are open, which learn of more secrets as they are used. */
const sources = new Set<() => readonly string[]>()

export function keepSecrets(secrets: Iterable<string>): void {
  for (const secret of secrets) known.add(secret)
}

/** Until the returned function is called: then what is known by now is kept. */
export function keepSecretSource(source: () => readonly string[]): () => void {
  sources.add(source)
  return () => {
    keepSecrets(source())
    sources.delete(source)
  }
}

/** Hides them, and the values of variables that are named like secrets, or listed as secrets, as the command does. */
export function hideSecrets(listed: readonly string[] = []): () => Redactor {
  const named = [...secretValues(process.env), ...listed.flatMap((name) => process.env[name] || [])]
  const secrets = () => [...known, ...named, ...[...sources].flatMap((source) => source())]
  return createGrowingRedactor({ secrets })
}
