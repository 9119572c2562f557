import { flagList } from '../flags.ts'
import { columns, type Topic } from './topic.ts'

export const gatesTopic: Topic = {
  name: 'gates',
  aliases: ['stability', 'runs'],
  about: 'Pass rates of repeated runs, and when they fail a run',
  page: 'docs/stability.md',
  lines: () => [
    'An agent may answer differently each time. Run every case several times, and',
    'require a pass rate:',
    '',
    '  viva test tests/ --runs 10 --gate 0.9',
    '',
    ...columns(
      flagList().flatMap(([, { spec, about, group }]) =>
        group === 'Repetition and gates' ? [[spec, about] as const] : [],
      ),
    ),
    '',
    'If a gate is not reached, the exit code is 1.',
  ],
}
