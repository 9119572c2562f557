import packageJson from '../package.json' with { type: 'json' }

/**
 * The version of viva.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { version } from 'vivavoce'
 *
 * assert.match(version, /^\d+\.\d+\.\d+/)
 */
export const version: string = packageJson.version

/** The versions of Node that viva runs with: `>=20.19`. */
export const requiredNode: string = packageJson.engines.node

/** Of the journal's lines; older ones stay readable. */
export const schemaVersion = 2
