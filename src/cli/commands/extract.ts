import type { Command } from '../command.ts'
import { flags } from '../flags.ts'
import type { ExtractFlags } from '../work/extract.ts'

export const extract: Command<ExtractFlags> = {
  name: 'extract',
  about: 'Write each result of a run to a separate file.',
  summary: 'Write each result of a run to a separate file',
  group: 'Results',
  examples: [
    ['viva extract results.jsonl', 'write one Markdown file per result to the folder extracted'],
    ['viva extract results.jsonl --format json -o out', 'write JSON files to another folder'],
  ],
  arguments: [['<results>', 'the .jsonl file of a run']],
  flags: [
    { spec: '-o, --output <folder>', about: 'folder for the files', default: 'extracted' },
    { spec: '--format <name>', about: 'markdown or json', default: 'markdown', values: ['markdown', 'json'] },
    flags.transcripts,
    flags.mask,
  ],
  async run(given, shell, results = '') {
    const { extractCommand } = await import('../work/extract.ts')
    return extractCommand(results, given, shell)
  },
}
