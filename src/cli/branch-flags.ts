import type { Flag } from './flag.ts'
import { wholeNumber } from './flag-values.ts'
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
  'onMissingInput',
  'interactive',
  'output',
  'transcripts',
  'mask',
] as const satisfies FlagName[]

/** What is different here. */
const changed: Partial<Record<FlagName, Partial<Flag>>> = {
  name: {
    about: 'agent that goes on with the conversation',
    default: 'the recorded one, if the project has it',
  },
  connector: { default: 'the recorded one' },
  onMissingInput: { default: 'end' },
  output: { default: 'in .viva/branches' },
}

const count = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Flags that only `viva branch` has. */
export const ownBranchFlags = {
  turn: {
    spec: '--turn <n>',
    about: 'the first turn that is played; earlier ones are the history',
    problem: count,
  },
  say: {
    spec: '--say <text>',
    about: 'say this instead of the recorded messages (repeatable: one per turn)',
    repeat: true,
  },
  variant: { spec: '--variant <name>', about: 'agent and connector of the result, if the run had several' },
  runNumber: {
    spec: '--run-number <n>',
    about: 'number of the run, if every case ran several times',
    default: '1',
    problem: count,
  },
  save: { spec: '--save <file>', about: 'add the conversation to a .jsonl file of cases' },
} satisfies Record<string, Flag>

export const branchFlags: readonly Flag[] = [
  ...Object.values(ownBranchFlags),
  ...shared.map((name) => ({ ...flags[name], ...changed[name] })),
]

/** What the user gave, still as text. */
export interface GivenBranchFlags extends GivenFlags {
  turn?: string
  say?: string[]
  variant?: string
  runNumber?: string
  save?: string
}
