import { checkFlags } from '../check-flags.ts'
import type { Command } from '../command.ts'
import { flags } from '../flags.ts'

export const merge: Command = {
  name: 'merge',
  about: 'Merge the results of all shards of a run, as if it had been one run.',
  summary: 'Merge the results of all shards of a run',
  group: 'Results',
  examples: [
    ['viva merge shards/*.jsonl -o results.jsonl', 'write the results of the whole run'],
    [
      'viva merge shards/*.jsonl -o results.jsonl -o report.html --gate-suite 0.9',
      'judge a gate that only the whole run can reach, and write a report',
    ],
  ],
  arguments: [['<results...>', 'the .jsonl files of all shards']],
  flags: [
    {
      spec: '-o, --output <file>',
      about: 'results file (.jsonl), and reports: .html .json .md .xml .txt (repeatable)',
      repeat: true,
    },
    {
      spec: '-r, --reporter <name>',
      about: 'report.html, report.json, report.markdown, junit or report.summary for the nth -o; or github',
      repeat: true,
    },
    flags.gate,
    flags.gateSuite,
    flags.gateStable,
    flags.baseline,
    flags.alpha,
    flags.maxInfrastructureErrors,
  ],
  async run(given, shell, ...files) {
    checkFlags(given)
    const { mergeCommand } = await import('../work/merge.ts')
    return mergeCommand(
      files.filter((file) => file !== undefined),
      given,
      shell,
    )
  },
}
