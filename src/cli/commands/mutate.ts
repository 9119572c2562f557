import { checkFlags } from '../check-flags.ts'
import type { Command } from '../command.ts'
import { type GivenMutateFlags, mutateFlags } from '../mutate-flags.ts'
import { withInputs } from './test.ts'

/** `viva mutate`: how much of what may go wrong the checks notice. */
export const mutate: Command<GivenMutateFlags> = {
  name: 'mutate',
  about:
    'Damage the recorded replies of a results file, count how many damages the checks of the cases notice, and propose checks for the others. No agent and no model is called.',
  summary: 'Damage recorded replies, and see whether the checks notice',
  group: 'Test',
  examples: [
    [
      'viva mutate results.jsonl -i cases.jsonl',
      'print the mutation score, the survivors and proposed checks',
    ],
    [
      'viva mutate results.jsonl tests/ --write',
      'add proposed checks to the case files, after asking for each',
    ],
  ],
  arguments: [
    ['<results>', 'the .jsonl file of a run'],
    ['[inputs...]', 'case files or folders'],
  ],
  flags: mutateFlags,
  async run(given, shell, results = '', ...inputs) {
    checkFlags(given)
    const { mutateCommand } = await import('../work/mutate.ts')
    return mutateCommand(results, withInputs(given, inputs), shell)
  },
}
