import { createRequire } from 'node:module'

/** Loads a package when it is first needed, in code that cannot wait. Not bundled, so that it costs nothing until then. */
export const requirePackage = createRequire(import.meta.url)
