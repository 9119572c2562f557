import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Links that lead to each other are followed so often. */
const mostLinks = 40

/** Resolves all symbolic links in a path, even when the file does not exist yet. */
export function resolveLinks(path: string): string {
  return follow(path, mostLinks)
}

function follow(path: string, most: number): string {
  if (existsSync(path)) return realpathSync(path)
  if (dirname(path) === path) return path
  const target = most > 0 ? readTarget(path) : undefined
  if (target !== undefined) return follow(resolve(dirname(path), target), most - 1)
  return join(follow(dirname(path), most), basename(path))
}

function readTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
