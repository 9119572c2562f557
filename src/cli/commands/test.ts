import type { Shell } from '../../system/shell.ts'
import { checkFlags } from '../check-flags.ts'
import type { Command } from '../command.ts'
import { flagList, type GivenFlags } from '../flags.ts'

/** `viva test`: from the flags to an exit code. */
export const test: Command = {
  name: 'test',
  about: 'Run cases against an agent and check its replies.',
  summary: 'Run cases against an agent and check its replies',
  group: 'Test',
  examples: [
    ['viva test tests/ -n ./agent.ts', 'run all cases of a folder against an agent in a module'],
    [
      'viva test tests/ --runs 5 --gate 0.9 -o report.html',
      'run every case five times, require a pass rate of 90%, and write a report',
    ],
  ],
  arguments: [['[inputs...]', 'case files, folders, or a message']],
  flags: flagList().map(([, flag]) => flag),
  run: (given, shell, ...inputs) => runTest(withInputs(given, inputs), shell),
}

/** What stands after the command is the same as what `-i` names. */
export function withInputs(given: GivenFlags, inputs: readonly (string | undefined)[]): GivenFlags {
  const named = Array.isArray(given.input) ? given.input : []
  return { ...given, input: [...named, ...inputs.filter((input) => input !== undefined)] }
}

export async function runTest(given: GivenFlags, shell: Shell): Promise<number> {
  checkFlags(given)
  const { testCommand } = await import('../work/test.ts')
  return testCommand(given, shell)
}
