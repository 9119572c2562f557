import type { Shell } from '../system/shell.ts'
import type { Flag } from './flag.ts'
import type { GivenFlags } from './flags.ts'

/** The headings of commands in `viva --help`, in this order. */
export const commandGroups = ['Test', 'Results', 'Project', 'Help'] as const

/** One command of the program. Whatever is heavy is imported when it is run: `--help` loads every definition. */
export interface Command<Given = GivenFlags> {
  /** `test`, or `judge check` for a command below another. */
  name: string
  about: string
  /** For the list of commands, if `about` is too long for one line. */
  summary?: string
  group: (typeof commandGroups)[number]
  /** Two command lines, each with what it does. */
  examples: readonly (readonly [line: string, about: string])[]
  /** What stands after the name, as commander takes it: `[inputs...]`, with what it is. */
  arguments: readonly (readonly [spec: string, about: string])[]
  flags: readonly Flag[]
  /** Returns the exit code. `args` are the arguments in order; one that was not given is undefined. */
  run(given: Given, shell: Shell, ...args: (string | undefined)[]): Promise<number>
}
