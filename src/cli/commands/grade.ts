import { checkFlags } from '../check-flags.ts'
import type { Command } from '../command.ts'
import { gradeFlags } from '../grade-flags.ts'
import { withInputs } from './test.ts'

/** `viva grade`: changed checks and judges over recorded conversations. */
export const grade: Command = {
  name: 'grade',
  about:
    'Check the conversations of a results file again, with the checks that the cases have now. No agent is called.',
  summary: 'Check recorded conversations again, with changed checks',
  group: 'Test',
  examples: [
    [
      'viva grade results.jsonl -i cases.jsonl',
      'run the checks of the cases over the recorded conversations',
    ],
    [
      'viva grade results.jsonl tests/ -o graded.jsonl && viva compare results.jsonl graded.jsonl',
      'see what the changed checks decide differently',
    ],
  ],
  arguments: [
    ['<results>', 'the .jsonl file of a run'],
    ['[inputs...]', 'case files or folders'],
  ],
  flags: gradeFlags,
  async run(given, shell, results = '', ...inputs) {
    checkFlags(given)
    const { gradeCommand } = await import('../work/grade.ts')
    return gradeCommand(results, withInputs(given, inputs), shell)
  },
}
