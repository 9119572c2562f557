import { closeSync, fchmodSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/**
 * Writes beside the path and then renames, so that the file is either the old one or the whole new one. A file that is
 * there keeps its mode.
 */
export function replaceFile(path: string, content: string | Iterable<Uint8Array>): void {
  const draft = `${path}.${process.pid}.part`
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  const descriptor = openSync(draft, 'w', mode)
  try {
    try {
      if (mode !== undefined) keepMode(descriptor, mode)
      for (const part of typeof content === 'string' ? [content] : content) writeFileSync(descriptor, part)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function keepMode(descriptor: number, mode: number): void {
  try {
    fchmodSync(descriptor, mode)
  } catch {
    // Some file systems have no modes; the file is written anyway.
  }
}
