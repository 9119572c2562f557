import { readFileSync } from 'node:fs'
import { ConfigError, errorMessage } from '../../errors.ts'
import { requirePackage } from '../../require-package.ts'

/** `file` is the path for messages. Throws `ConfigError` for invalid YAML. */
export function readYaml(path: string, file: string, code: string): unknown {
  // Loaded lazily: few apps have such a file.
  const { parse } = requirePackage('yaml') as typeof import('yaml')
  try {
    return parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const [message = ''] = errorMessage(error).split('\n')
    throw new ConfigError({ code, message, file })
  }
}
