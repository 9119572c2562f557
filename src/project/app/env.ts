import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

/** Fills in `$ENV.NAME` in a setting. A variable that is not set is an error, not an empty text. */
export function expandEnv(text: string, where: string, env: Environment): string {
  return text.replace(/\$ENV\.([A-Za-z_]\w*)/g, (_, name: string) => requiredVariable(name, where, env))
}

export function requiredVariable(name: string, where: string, env: Environment): string {
  const value = env[name]
  if (value) return value
  if (assumed.has(env)) return placeholder
  const message = `environment variable ${name} is not set`
  throw new ConfigError({ code: 'missing_env', message, hint: `used by ${where}` })
}

/** Environments of runs in which no request leaves: what is missing in them is not needed. */
const assumed = new WeakSet<Environment>()

/** A key that is missing is no error any more, because nobody is asked. */
export function assumeVariables(env: Environment): void {
  assumed.add(env)
}

/** It can stand for a key and for a host. */
const placeholder = 'http://not-set.invalid'
