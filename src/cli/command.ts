import type { Shell } from '../system/shell.ts'
import type { Flag, GivenFlags } from './flags.ts'

/** One command of the program. Whatever is heavy is imported when it is run: `--help` loads every definition. */
export interface Command<Given = GivenFlags> {
  /** `test`, or `judge check` for a command below another. */
  name: string
  about: string
  /** What stands after the name, as commander takes it: `[inputs...]`, with what it is. */
  arguments: readonly (readonly [spec: string, about: string])[]
  flags: readonly Flag[]
  /** Returns the exit code. `args` are the arguments in order; one that was not given is undefined. */
  run(given: Given, shell: Shell, ...args: (string | undefined)[]): Promise<number>
}
