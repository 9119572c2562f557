/** The groups of flags in `--help` and in the reference, in this order. */
export const flagGroups = [
  'What to test',
  'Context',
  'Selection',
  'Execution',
  'Conversations',
  'Repetition and gates',
  'Budget',
  'Output',
  'Privacy',
] as const

export type FlagGroup = (typeof flagGroups)[number]

export interface Flag {
  /** As commander takes them: `-i, --input <input>`. */
  spec: string
  /** One line of `--help`. */
  about: string
  /** What the reference says beyond that. */
  more?: string
  /** Its heading in `--help`; those of a command alone have none. */
  group?: FlagGroup
  default?: string
  repeat?: boolean
  /** Works, but is not for people. */
  hidden?: boolean
  /** The values that a shell completes. */
  values?: readonly string[]
  /** Says what is wrong with a value. */
  problem?(value: string): string | undefined
  /** Left out of the command that re-runs what failed. */
  once?: boolean
}

/** Adds the group to flags. */
export function inGroup<Name extends string>(
  group: FlagGroup,
  flags: Record<Name, Flag>,
): Record<Name, Flag> {
  const entries = Object.entries<Flag>(flags).map(([name, flag]) => [name, { ...flag, group }])
  return Object.fromEntries(entries) as Record<Name, Flag>
}

/** `--input` of `-i, --input <input>` */
export function longName({ spec }: Flag): string {
  return /--[\w-]+/.exec(spec)?.[0] ?? spec
}
