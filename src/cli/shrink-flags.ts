import { reductionNames } from '../analysis/shrink/reduction-names.ts'
import { ownBranchFlags } from './branch-flags.ts'
import type { Flag } from './flag.ts'
import { choice } from './flag-values.ts'
import { type FlagName, flags, type GivenFlags } from './flags.ts'

/** Flags of `viva test` that mean the same here. */
const shared = [
  'name',
  'connector',
  'user',
  'team',
  'locale',
  'ctx',
  'timeout',
  'stubAll',
  'maxCost',
  'maxTokens',
] as const satisfies FlagName[]

/** What is different here. */
const changed: Partial<Record<FlagName, Partial<Flag>>> = {
  name: { about: 'agent that the case is played with', default: 'the recorded one, if the project has it' },
  connector: { default: 'the recorded one' },
  timeout: { about: 'time limit for one conversation', default: '5m' },
  maxCost: { more: 'when it is spent, no further conversation starts, and the best so far is kept' },
  maxTokens: { more: 'when it is used up, no further conversation starts, and the best so far is kept' },
}

const mostRuns = 1000

/** `2/3`: in how many of how many runs. */
export function readRuns(text: string): { least: number; most: number } | undefined {
  const [, least, most] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const runs = { least: Number(least), most: Number(most) }
  return runs.least >= 1 && runs.most >= runs.least && runs.most <= mostRuns ? runs : undefined
}

/** Flags that only `viva shrink` has. */
export const ownShrinkFlags = {
  runs: {
    spec: '--runs <n/m>',
    about: 'a case must fail in n of m runs, like 2/3',
    more: '1/1 for an agent that always answers alike',
    default: 'found out',
    problem: (value: string) =>
      value === 'auto' || readRuns(value) !== undefined
        ? undefined
        : `must be n/m, with n from 1 to m and m at most ${mostRuns}, like 2/3`,
  },
  only: {
    spec: '--only <parts>',
    about: 'leave out only these parts (repeatable)',
    more: reductionNames.join(', '),
    repeat: true,
    ...choice(...reductionNames),
  },
  reply: {
    spec: '--reply <text>',
    about: 'count a failure only if its reply contains this text',
    default: 'if it is like the recorded one',
  },
  anyReply: { spec: '--any-reply', about: 'count every failure of the same check' },
  asRecorded: {
    spec: '--as-recorded',
    about: 'use only the results file, even if the case has changed since',
  },
  variant: ownBranchFlags.variant,
  runNumber: { ...ownBranchFlags.runNumber, default: 'the first that failed' },
  output: {
    spec: '-o, --output <file>',
    about: 'the .jsonl file for the case that is left',
    default: '<case>.shrunk.jsonl',
  },
} satisfies Record<string, Flag>

export const shrinkFlags: readonly Flag[] = [
  ...Object.values(ownShrinkFlags),
  ...shared.map((name) => ({ ...flags[name], ...changed[name] })),
]

/** What the user gave, still as text. */
export interface GivenShrinkFlags extends Omit<GivenFlags, 'runs' | 'output'> {
  runs?: string
  only?: string[]
  reply?: string
  anyReply?: boolean
  asRecorded?: boolean
  variant?: string
  runNumber?: string
  output?: string
}
