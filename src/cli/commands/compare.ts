import type { Command } from '../command.ts'
import type { CompareFlags } from '../compare-command.ts'
import { flags } from '../flags.ts'

export const compare: Command<CompareFlags> = {
  name: 'compare',
  about: 'Compare two runs case by case. Exit 1 for a regression that the data support.',
  arguments: [
    ['<base>', 'the .jsonl file of the run before'],
    ['<head>', 'the .jsonl file of the run after'],
  ],
  flags: [
    {
      spec: '--alpha <share>',
      about: 'how often it may tell of a regression where there is none',
      default: '0.05',
    },
    {
      spec: '-o, --output <file>',
      about: 'format by extension: .md .json .html; several are made at once',
      repeat: true,
    },
    { spec: '--json', about: 'the comparison as JSON on stdout, nothing else there' },
    flags.transcripts,
    flags.mask,
  ],
  async run(given, shell, base = '', head = '') {
    const { compareCommand } = await import('../compare-command.ts')
    return compareCommand(base, head, given, shell)
  },
}
