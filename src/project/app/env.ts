import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

/** `$ENV.NAME` in a setting. A variable that is not set is told, not taken for an empty one. */
export function expandEnv(text: string, where: string, env: Environment): string {
  return text.replace(/\$ENV\.([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => {
    const value = env[name]
    if (value === undefined || value === '') {
      throw new ConfigError({
        code: 'missing_env',
        message: `environment variable ${name} is not set`,
        hint: `used by ${where}`,
      })
    }
    return value
  })
}
