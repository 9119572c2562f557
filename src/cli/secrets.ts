import { ConfigError } from '../errors.ts'
import type { Project } from '../project/project.ts'
import { createRedact, type Redact, shortestSecret } from '../scope/redact.ts'

/** Variables that hold secrets by their name; their values may come up in whatever an agent says. */
const secretNames = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

/** Values that no report may show: of variables that the config lists, and of those named like secrets. */
export function secretsAround({ config }: Project): string[] {
  const listed = (config.secrets ?? []).map((name) => ({ name, value: process.env[name] ?? '' }))
  const short = listed.find(({ value }) => value !== '' && value.length < shortestSecret)
  if (short) {
    const message = `secret ${short.name} has fewer than ${shortestSecret} characters: it cannot be told from ordinary text`
    throw new ConfigError({ code: 'short_secret', message })
  }
  return [...listed.map(({ value }) => value), ...namedSecrets()]
}

/** Takes out all that is known to be secret at that moment: some agents are made when they are first asked. */
export function redactAll(secrets: () => string[]): Redact {
  let known = -1
  let redact: Redact = (value) => value
  return (value) => {
    const all = secrets()
    if (all.length !== known) {
      known = all.length
      redact = createRedact(all)
    }
    return redact(value)
  }
}

/** One that is not set may be misspelt, and then hides nothing. */
export function unsetSecrets({ config }: Project): string[] {
  return (config.secrets ?? []).filter((name) => !process.env[name])
}

/** Known before any config is read. */
export function namedSecrets(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) => (secretNames.test(name) && value) || [])
}
