import { columns, type Topic } from './topic.ts'

export const exitCodesTopic: Topic = {
  name: 'exit-codes',
  aliases: ['exit', 'exit-code'],
  about: 'What the exit codes mean',
  page: 'docs/results.md',
  lines: () => [
    ...columns([
      ['0', 'everything that was selected passed or was skipped,'],
      ['', 'or was carried over (--changed)'],
      ['1', 'a case failed, or with gates: a gate was not reached'],
      ['', 'a budget was exceeded, or --baseline found a regression'],
      ['2', 'a configuration error, or nothing was judged'],
      ['3', 'infrastructure errors, an output that could not be written, a bug'],
      ['130, 143', 'interrupted by SIGINT, SIGTERM'],
    ]),
    '',
    'Infrastructure errors are not the fault of the agent: a server that cannot be',
    'reached, a rate limit, a judge that does not answer. --max-infrastructure-errors',
    'tolerates a share of them.',
  ],
}
