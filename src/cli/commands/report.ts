import type { Command } from '../command.ts'
import { flags } from '../flags.ts'
import type { ReportFlags } from '../work/report.ts'

export const report: Command<ReportFlags> = {
  name: 'report',
  about: 'Write reports from the results of a run.',
  summary: 'Write reports from the results of a run',
  group: 'Results',
  examples: [
    ['viva report results.jsonl -o report.html', 'write an HTML report'],
    ['viva report results.jsonl -r report.summary', 'print the summary'],
  ],
  arguments: [['<results>', 'the .jsonl file of a run']],
  flags: [
    {
      spec: '-o, --output <file>',
      about: 'report file; the extension sets the format: .html .json .md .xml .txt (repeatable)',
      repeat: true,
    },
    {
      spec: '-r, --reporter <name>',
      about:
        'report.html, report.json, report.markdown, junit or report.summary for the nth -o, or for stdout',
      repeat: true,
    },
    flags.transcripts,
    flags.mask,
  ],
  async run(given, shell, results = '') {
    const { reportCommand } = await import('../work/report.ts')
    return reportCommand(results, given, shell)
  },
}
