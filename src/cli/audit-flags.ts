import type { Flag } from './flag.ts'
import { type FlagName, flags } from './flags.ts'

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

/** What is different here. */
const own: Partial<Record<FlagName, Partial<Flag>>> = {
  input: { about: 'case file, folder, or generator', more: 'agents:ID or scripts:ID' },
  name: { about: 'agent that the cases are for; it also runs with all its tools failing' },
  output: { default: 'in .viva/audits' },
}

/** Those of `viva test` that `viva audit` has too, and mean the same. */
export const auditFlags: readonly Flag[] = [
  ...shared.map((name) => ({ ...flags[name], ...own[name] })),
  {
    ...flags.json,
    about: 'print the outcome of each case and agent as JSON lines on stdout, and nothing else',
  },
]
