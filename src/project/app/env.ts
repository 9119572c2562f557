import { ConfigError } from '../../errors.ts'

/** Expands `$ENV.NAME` in a setting. A variable that is not set is an error, not an empty string. */
export function expandEnv(text: string, where: string): string {
  return text.replace(/\$ENV\.([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => {
    const value = process.env[name]
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
