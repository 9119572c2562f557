import type { Topic } from './topic.ts'

export const snapshotsTopic: Topic = {
  name: 'snapshots',
  aliases: ['snapshot', 'golden'],
  about: 'Replies that later replies must equal',
  page: 'docs/cases.md',
  lines: () => [
    'The first run writes the reply to a file beside the case file. Later runs',
    'compare theirs with it:',
    '',
    '  {"id": "policy", "input": "What counts as travel?",',
    '   "assert": {"type": "snapshot", "normalize": ["dates", "ids"]}}',
    '',
    'A run that writes a snapshot has compared nothing: the case counts as unchecked.',
    'In CI nothing is written, and a missing snapshot fails the case.',
    '',
    '  viva test tests/ --update-snapshots            accept all replies',
    '  viva test tests/ --update-snapshots=new        only write missing ones',
    '  viva test tests/ --update-snapshots=changed    only replace different ones',
    '',
    '`viva help assertions` lists the other checks.',
  ],
}
