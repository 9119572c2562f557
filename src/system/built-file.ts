import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a file in `dist`, whether this code runs from there or from the sources. */
export function builtFile(name: string): string {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder)) {
    const path = basename(folder) === 'dist' ? join(folder, name) : join(folder, 'dist', name)
    if (existsSync(path)) return path
  }
  throw new Error(`dist/${name} is missing: build vivavoce first`)
}
