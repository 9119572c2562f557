import type { Flag } from './flag.ts'
import { type FlagName, flags } from './flags.ts'

const shared = [
  'input',
  'user',
  'team',
  'locale',
  'ctx',
  'run',
  'tag',
  'requireChecks',
  'parallel',
  'timeout',
  'failFast',
  'onMissingInput',
  'maxCost',
  'maxTokens',
  'maxInfrastructureErrors',
  'output',
  'reporter',
  'json',
  'verbose',
  'transcripts',
  'mask',
] as const satisfies FlagName[]

/** What is different here. */
const own: Partial<Record<FlagName, Partial<Flag>>> = {
  input: { about: 'case file or folder', more: 'also scripts:ID' },
  user: { about: 'id of the user, for scripts and judges' },
  team: { about: "id of the user's team, for scripts and judges" },
  run: { about: 'grade only cases whose id or name matches' },
  tag: { about: 'grade only cases with this tag' },
  parallel: { about: 'number of conversations that are graded at once, or auto' },
  timeout: { about: 'time limit for grading one conversation', default: '5m' },
  onMissingInput: {
    about: 'when nobody answered: skip, fail or end',
    more: 'what to do when the agent waited and no turn was left',
  },
  output: { default: 'in .viva/grades' },
}

/** Those of `viva test` that `viva grade` has too, and mean the same. */
export const gradeFlags: readonly Flag[] = shared.map((name) => ({ ...flags[name], ...own[name] }))
