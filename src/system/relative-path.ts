import { relative, sep } from 'node:path'

/** With `/` on every system, so that what one wrote can be read on another. */
export function relativePath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}
