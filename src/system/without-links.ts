import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path behind all symbolic links; also of a file that is not there yet. */
export function withoutLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(withoutLinks(dirname(path)), basename(path))
}
