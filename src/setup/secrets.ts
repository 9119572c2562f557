import { ConfigError } from '../errors.ts'
import { namedSecrets, secretValues } from '../privacy/secret-variables.ts'
import { shortestSecret } from '../privacy/secrets.ts'
import type { Project } from '../project/project.ts'

/** Values that no report may show: of variables that the config lists, and of those named like secrets. */
export function secretsAround({ config, envFile = {} }: Project): string[] {
  const listed = (config.secrets ?? []).map((name) => ({ name, value: process.env[name] ?? '' }))
  const short = listed.find(({ value }) => value !== '' && value.length < shortestSecret)
  if (short) {
    const message = `secret ${short.name} has fewer than ${shortestSecret} characters: it cannot be told from ordinary text`
    throw new ConfigError({ code: 'short_secret', message })
  }
  return [...listed.map(({ value }) => value), ...secretValues(envFile), ...namedSecrets()]
}

/** One that is not set may be misspelt, and then hides nothing. */
export function unsetSecrets({ config }: Project): string[] {
  return (config.secrets ?? []).filter((name) => !process.env[name])
}
