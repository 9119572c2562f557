import { ConfigError } from '../../errors.ts'

/** The values of all `{{env.NAME}}` placeholders. Throws before anything runs if one is not set. */
export function environmentOf(agentId: string, placeholders: readonly string[]): Map<string, string> {
  const names = placeholders.filter((name) => name.startsWith('env.')).map((name) => name.slice(4))
  return new Map(
    names.map((name) => {
      const value = process.env[name]
      if (value) return [name, value]
      const message = `environment variable ${name} is not set`
      throw new ConfigError({ code: 'missing_env', message, hint: `used by agent ${agentId}` })
    }),
  )
}
