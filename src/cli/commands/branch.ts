import { branchFlags, type GivenBranchFlags } from '../branch-flags.ts'
import { checkFlags } from '../check-flags.ts'
import type { Command } from '../command.ts'

/** `viva branch`: goes on live with a recorded conversation. */
export const branch: Command<GivenBranchFlags> = {
  name: 'branch',
  about: 'Take a conversation from a results file, and go on with it live from one of its turns.',
  summary: 'Go on with a recorded conversation from one of its turns',
  group: 'Results',
  examples: [
    ['viva branch results.jsonl T3 --turn 2', 'play turn 2 and what came after it once more'],
    [
      'viva branch results.jsonl T3 --turn 2 --say "No, cancel it" --save cases.jsonl',
      'say something else in turn 2, and keep that as a case',
    ],
  ],
  arguments: [
    ['<results>', 'the .jsonl file of a run'],
    ['<case>', 'the id or name of a case in it, or file:id'],
  ],
  flags: branchFlags,
  async run(given, shell, results = '', wanted = '') {
    checkFlags(given)
    const { branchCommand } = await import('../work/branch.ts')
    return branchCommand(results, wanted, given, shell)
  },
}
