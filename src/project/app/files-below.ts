import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/** All files below a folder, as relative paths. Follows links, visits no folder twice and skips node_modules. */
export function listFiles(folder: string): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const waiting = existsSync(folder) ? [''] : []
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const real = realpathSync(join(folder, below))
    if (seen.has(real)) continue
    seen.add(real)
    for (const name of readdirSync(real).sort()) {
      const path = below === '' ? name : `${below}${sep}${name}`
      const stats =
        name === 'node_modules' ? undefined : statSync(join(folder, path), { throwIfNoEntry: false })
      if (stats?.isDirectory()) waiting.push(path)
      else if (stats?.isFile()) found.push(path)
    }
  }
  return found
}
