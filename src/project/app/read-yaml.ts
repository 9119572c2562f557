import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ConfigError, messageOf } from '../../errors.ts'

const load = createRequire(import.meta.url)

/** `file` is how messages name it. Throws `ConfigError` for what is no YAML. */
export function readYaml(path: string, file: string, code: string): unknown {
  // Loaded only where an app has such a file.
  const { parse } = load('yaml') as typeof import('yaml')
  try {
    return parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const [message = ''] = messageOf(error).split('\n')
    throw new ConfigError({ code, message, file })
  }
}
