import { existsSync, statSync } from 'node:fs'
import { ConfigError } from '../errors.ts'

/** A file that viva did not write, given by mistake, must not be overwritten. */
export function refuseForeignFile(path: string, isOurs: (path: string) => boolean): void {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size === 0 || isOurs(path)) return
  throw new ConfigError({
    code: 'bad_output',
    message: `-o ${path}: the file already exists and was not written by viva`,
    hint: 'choose another name, or remove it',
  })
}
