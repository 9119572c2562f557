import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

/** The variables that `{{env.NAME}}` names. One that is not set is told before anything runs. */
export function environmentOf(
  agentId: string,
  placeholders: readonly string[],
  env: Environment,
): Map<string, string> {
  const names = placeholders.filter((name) => name.startsWith('env.')).map((name) => name.slice(4))
  return new Map(
    names.map((name) => {
      const value = env[name]
      if (value) return [name, value]
      const message = `environment variable ${name} is not set`
      throw new ConfigError({ code: 'missing_env', message, hint: `used by agent ${agentId}` })
    }),
  )
}
