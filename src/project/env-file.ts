import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * The `.env` of an app, for what the environment does not say: whoever starts viva has the last word, which in the
 * engine the file has.
 */
export function loadEnvFile(appRoot: string): void {
  const path = join(appRoot, '.env')
  if (!existsSync(path)) return
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, 'utf8'))))
    if (value !== undefined && process.env[name] === undefined) process.env[name] = value
}
