import type { Command } from '../command.ts'
import type { RecordingFlags } from '../work/recording.ts'
import type { PruneFlags } from '../work/recording-prune.ts'

const file = ['<file>', 'a recording: a file that viva test --record has written'] as const

export const recordingList: Command<RecordingFlags> = {
  name: 'recording list',
  about: 'List what is in a recording: one line per case.',
  summary: 'List the cases of a recording',
  group: 'Results',
  examples: [
    ['viva recording list calls.rec', 'list the recorded cases, with their calls and sizes'],
    ['viva recording list calls.rec --json', 'print the same as JSON'],
  ],
  arguments: [file],
  flags: [{ spec: '--json', about: 'print the list as JSON' }],
  async run(given, shell, path = '') {
    const { recordingListCommand } = await import('../work/recording.ts')
    return recordingListCommand(path, given, shell)
  },
}

export const recordingShow: Command<RecordingFlags> = {
  name: 'recording show',
  about: 'Show the recorded calls of a case, in their order: what was asked, and what came back.',
  summary: 'Show the recorded calls of a case',
  group: 'Results',
  examples: [
    ['viva recording show calls.rec greeting', 'show the calls of one case'],
    ['viva recording show calls.rec cases.jsonl:greeting -v', 'show them whole, of the case in that file'],
  ],
  arguments: [file, ['[case]', 'id of a case, or file:id']],
  flags: [
    { spec: '-v, --verbose', about: 'show requests and answers whole' },
    { spec: '--json', about: 'print the calls as JSON' },
  ],
  async run(given, shell, path = '', id) {
    const { recordingShowCommand } = await import('../work/recording.ts')
    return recordingShowCommand(path, id, given, shell)
  },
}

export const recordingPrune: Command<PruneFlags> = {
  name: 'recording prune',
  about: 'Remove what a recording does not need: plays that were recorded again, and damaged lines.',
  summary: 'Remove what a recording does not need any more',
  group: 'Results',
  examples: [
    ['viva recording prune calls.rec', 'remove plays that were recorded again, and damaged lines'],
    ['viva recording prune calls.rec -i cases.jsonl', 'also remove plays of cases that are not in this file'],
  ],
  arguments: [file],
  flags: [
    {
      spec: '-i, --input <input>',
      about: 'cases to keep: plays of all other cases are removed (repeatable)',
      repeat: true,
    },
    { spec: '--dry-run', about: 'only print what would be removed' },
  ],
  async run(given, shell, path = '') {
    const { recordingPruneCommand } = await import('../work/recording-prune.ts')
    return recordingPruneCommand(path, given, shell)
  },
}
