import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** With all folders above it. Node's own recursive way never ends below a folder that takes none, as in /proc. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another run may have made it in between.
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
