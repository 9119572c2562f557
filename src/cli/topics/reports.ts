import { reportExtensions, reportNames } from '../../reporters/built-in.ts'
import { columns, type Topic } from './topic.ts'

export const reportsTopic: Topic = {
  name: 'reports',
  aliases: ['reporters', 'results', 'output'],
  about: 'Results files and reports',
  page: 'docs/results.md',
  lines: () => [
    'Each -o writes a file. Its extension sets the format, and -r a report by name:',
    '',
    ...columns([
      ['.jsonl', 'the results: one line per case, which all other reports are made of'],
      ...reportNames.map((name, index) => [reportExtensions[index] ?? '', name] as const),
    ]),
    '',
    '  viva test tests/ -o results.jsonl -o report.html -o junit.xml',
    '  viva report results.jsonl -o report.html',
    '',
    '-r github writes annotations and a summary in GitHub Actions. -r can also name',
    'an agent that writes the report. --json prints events as JSON lines.',
  ],
}
