import type { Command } from '../command.ts'
import { flags } from '../flags.ts'
import type { CompareFlags } from '../work/compare.ts'

export const compare: Command<CompareFlags> = {
  name: 'compare',
  about: 'Compare two runs case by case. Exits with code 1 if there is a significant regression.',
  summary: 'Compare two runs case by case',
  group: 'Results',
  examples: [
    ['viva compare base.jsonl head.jsonl', 'list what became better or worse'],
    ['viva compare base.jsonl head.jsonl -o comparison.md', 'write the comparison to a file'],
  ],
  arguments: [
    ['<base>', 'the .jsonl file of the earlier run'],
    ['<head>', 'the .jsonl file of the later run'],
  ],
  flags: [
    {
      spec: '--alpha <share>',
      about: 'significance level: how often it may report a regression by chance',
      default: '0.05',
    },
    {
      spec: '-o, --output <file>',
      about: 'report file; the extension sets the format: .md .json .html (repeatable)',
      repeat: true,
    },
    { spec: '--json', about: 'print the comparison as JSON on stdout, and nothing else' },
    flags.transcripts,
    flags.mask,
  ],
  async run(given, shell, base = '', head = '') {
    const { compareCommand } = await import('../work/compare.ts')
    return compareCommand(base, head, given, shell)
  },
}
