import type { Flag } from './flag.ts'
import { wholeNumber } from './flag-values.ts'
import { type FlagName, flags, type GivenFlags } from './flags.ts'

/** Those of `viva grade` that mean the same here. */
const shared = [
  'input',
  'user',
  'team',
  'locale',
  'ctx',
  'run',
  'tag',
  'parallel',
  'timeout',
  'maxCost',
  'onMissingInput',
  'output',
  'mask',
] as const satisfies FlagName[]

/** What is different here. */
const changed: Partial<Record<FlagName, Partial<Flag>>> = {
  input: { about: 'case file or folder', more: 'also scripts:ID' },
  user: { about: 'id of the user, for scripts and judges' },
  team: { about: "id of the user's team, for scripts and judges" },
  run: { about: 'damage only cases whose id or name matches' },
  tag: { about: 'damage only cases with this tag' },
  parallel: { about: 'number of mutants that are judged at once, or auto' },
  timeout: { about: 'time limit for judging one mutant', default: '5m' },
  maxCost: {
    about: 'budget in US dollars for --judges',
    more: 'when it is spent, no further model is asked',
  },
  output: {
    default: 'none',
    about: 'report file; the extension sets the format: .html .md .json',
    more: 'the score by case, and the survivors with the difference',
  },
}

const score = (value: string) =>
  /^(?:0|1|0?\.\d+|1\.0+|0\.0+)$/.test(value) ? undefined : 'must be a number from 0 to 1, like 0.8'

/** Flags that only `viva mutate` has. */
export const ownMutateFlags = {
  minScore: {
    spec: '--min-score <score>',
    about: 'exit with code 1 if the score is lower, 0 to 1',
    problem: score,
  },
  maxMutants: {
    spec: '--max-mutants <n>',
    about: 'the most mutants of one case',
    default: '40',
    problem: wholeNumber(1, 10_000),
  },
  judges: {
    spec: '--judges',
    about: 'ask the models of checks too; what that costs is printed first',
  },
  write: {
    spec: '--write',
    about: 'add proposed checks to the case files, after asking for each',
  },
  yes: { spec: '--yes', about: 'with --write: add all of them without asking' },
} satisfies Record<string, Flag>

export const mutateFlags: readonly Flag[] = [
  ...Object.values(ownMutateFlags),
  ...shared.map((name) => ({ ...flags[name], ...changed[name] })),
  { ...flags.json, about: 'print the result as JSON on stdout, and nothing else' },
]

/** What the user gave, still as text. */
export interface GivenMutateFlags extends GivenFlags {
  minScore?: string
  maxMutants?: string
  judges?: boolean
  write?: boolean
  yes?: boolean
}
