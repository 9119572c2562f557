import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ConfigError, errorMessage } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { parseJsonc, placeInJson } from '../json/json-syntax.ts'
import { describeIssues, describePath } from '../json/validation/issues.ts'
import { readOnce } from '../json/validation/read-once.ts'
import { withoutSchemaReference } from '../json/validation/schema-reference.ts'
import type { ScriptHost } from '../scripts/runner/script-host.ts'
import { type Config, configSchema } from './config-schema.ts'

/** A config may contain user code, so it is loaded in the script host, which returns data. */
export async function loadConfig(
  path: string,
  scripts: ScriptHost,
  cwd: string,
  loading: AbortSignal,
): Promise<Config> {
  const file = relative(cwd, path)
  const text = path.endsWith('.json') ? readFileSync(path, 'utf8') : undefined
  const value = text === undefined ? await readModule(path, file, scripts, loading) : parseJsonc(text, file)
  const parsed = configSchema.safeParse(value, readOnce)
  if (parsed.success) return withoutSchemaReference(parsed.data)
  throw new ConfigError(
    describeIssues(parsed.error, configSchema, 'the config').map(
      ({ code, message, hint, path: at, key }) => ({
        code,
        message,
        file,
        ...(text === undefined ? {} : placeInJson(text, at, key)),
        key: describePath(at, 'the config'),
        ...defined({ hint }),
      }),
    ),
  )
}

async function readModule(
  path: string,
  file: string,
  scripts: ScriptHost,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await scripts.call({ kind: 'data', file: path }, { signal })
  } catch (error) {
    throw new ConfigError({ code: 'config_failed', message: errorMessage(error), file })
  }
}
