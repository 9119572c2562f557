import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Resolves all symbolic links in a path, even when the file does not exist yet. */
export function resolveLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(resolveLinks(dirname(path)), basename(path))
}
