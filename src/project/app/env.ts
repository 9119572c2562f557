import { ConfigError } from '../../errors.ts'

/** `$ENV.NAME` in a setting. A variable that is not set is told, not taken for an empty one. */
export function expandEnv(text: string, where: string): string {
  return text.replace(/\$ENV\.([A-Za-z_]\w*)/g, (_, name: string) => requiredVariable(name, where))
}

export function requiredVariable(name: string, where: string): string {
  const value = process.env[name]
  if (value) return value
  const message = `environment variable ${name} is not set`
  throw new ConfigError({ code: 'missing_env', message, hint: `used by ${where}` })
}
