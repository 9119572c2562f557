import { columns, type Topic } from './topic.ts'

export const scaleTopic: Topic = {
  name: 'scale',
  aliases: ['shards', 'shard', 'queue', 'workers', 'changed'],
  about: 'Large suites: fewer cases, more at once, several machines',
  page: 'docs/scale.md',
  lines: () => [
    'In this order:',
    '',
    ...columns([
      ['--changed', 'run only the cases that a change may have affected'],
      ['--parallel auto', 'find out how many cases the server can take at once'],
      ['--shard 2/8', 'run one of eight parts; viva merge joins the results'],
      ['--queue redis://…', 'let viva worker processes on other machines run the cases'],
    ]),
    '',
    '  viva test tests/ --shard 2/8 -o 2.jsonl',
    '  viva merge 1.jsonl 2.jsonl … -o all.jsonl',
    '',
    '  viva worker --queue redis://host:6379 --concurrency 16',
    '  viva test tests/ --queue redis://host:6379 -o results.jsonl',
    '',
    '`viva queue status` shows the runs and workers of a queue.',
  ],
}
