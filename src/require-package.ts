import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/** Where the build puts them, seen from `dist` and from `dist/cli`. */
const folders = ['./packages/', '../packages/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** Loads a module of Node's when it is first needed: the large ones take a millisecond each. */
export function requireBuiltIn(name: `node:${string}`): unknown {
  return require(name)
}

/** Loads a package when it is first needed, in code that cannot wait: until then it costs nothing. */
export function requirePackage(name: string): unknown {
  const built = folders.map((folder) => `${folder}${name}.cjs`).find((path) => existsSync(path))
  return require(built ?? name)
}
