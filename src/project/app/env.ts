import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

/** Fills in `$ENV.NAME` in a setting. A variable that is not set is an error, not an empty text. */
export function expandEnv(text: string, where: string, env: Environment): string {
  return text.replace(/\$ENV\.([A-Za-z_]\w*)/g, (_, name: string) => requiredVariable(name, where, env))
}

export function requiredVariable(name: string, where: string, env: Environment): string {
  const value = env[name]
  if (value) return value
  const message = `environment variable ${name} is not set`
  throw new ConfigError({ code: 'missing_env', message, hint: `used by ${where}` })
}
