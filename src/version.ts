import packageJson from '../package.json' with { type: 'json' }

export const version: string = packageJson.version

/** Of the journal's lines; older ones stay readable. */
export const schemaVersion = 2
