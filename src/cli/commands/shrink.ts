import type { Command } from '../command.ts'
import { type GivenShrinkFlags, shrinkFlags } from '../shrink-flags.ts'

/** `viva shrink`: makes a failed conversation small. */
export const shrink: Command<GivenShrinkFlags> = {
  name: 'shrink',
  about: 'Reduce a failed conversation to the smallest case that still fails for the same reason.',
  summary: 'Make a failed conversation as small as possible',
  group: 'Results',
  examples: [
    ['viva shrink results.jsonl T3', 'write the smallest case that fails like T3 to T3.shrunk.jsonl'],
    [
      'viva shrink results.jsonl T3 --only turns --max-cost 0.50 -o bug.jsonl',
      'leave out only whole turns, and spend at most 50 cents',
    ],
  ],
  arguments: [
    ['<results>', 'the .jsonl file of a run'],
    ['<case>', 'the id or name of a failed case in it, or file:id'],
  ],
  flags: shrinkFlags,
  async run(given, shell, results = '', wanted = '') {
    const { shrinkCommand } = await import('../work/shrink.ts')
    return shrinkCommand(results, wanted, given, shell)
  },
}
