import { type Flag, type FlagName, flags } from './flags.ts'

const shared = [
  'input',
  'name',
  'connector',
  'output',
  'user',
  'team',
  'locale',
  'ctx',
  'run',
  'tag',
  'parallel',
  'timeout',
  'onMissingInput',
  'simulator',
  'beforeAll',
  'afterAll',
  'transcripts',
  'mask',
  'verbose',
] as const satisfies FlagName[]

/** Those of `viva test` that `viva audit` has too, and mean the same. */
export const auditFlags: readonly Flag[] = [
  ...shared.map((name) =>
    name === 'output' ? { ...flags.output, default: 'in .viva/audits' } : flags[name],
  ),
  { ...flags.json, about: 'what came of each case and agent as JSON lines on stdout, nothing else there' },
]
