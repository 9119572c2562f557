import { existsSync, statSync } from 'node:fs'
import { ConfigError } from '../errors.ts'

/** A file that is no report of ours, named by mistake, must not be written over. */
export function keepForeignFile(path: string, isOurs: (path: string) => boolean): void {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size === 0 || isOurs(path)) return
  throw new ConfigError({
    code: 'bad_output',
    message: `-o ${path}: the file is there already and holds no results of viva`,
    hint: 'choose another name, or remove it',
  })
}
