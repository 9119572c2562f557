import type { Command } from '../command.ts'
import type { GivenQueueFlags } from '../work/queue.ts'
import { queueFlag } from '../worker-flags.ts'

export const queueStatus: Command<GivenQueueFlags> = {
  name: 'queue status',
  about: 'Show the workers and the runs of a queue.',
  group: 'Test',
  examples: [
    ['viva queue status --queue redis://redis:6379', 'list workers, runs and their jobs'],
    ['viva queue status --queue redis://redis:6379 --json', 'print the same as JSON'],
  ],
  arguments: [],
  flags: [queueFlag, { spec: '--json', about: 'print the status as JSON' }],
  async run(given, shell) {
    const { queueStatusCommand } = await import('../work/queue.ts')
    return queueStatusCommand(given, shell)
  },
}

export const queueClean: Command<GivenQueueFlags> = {
  name: 'queue clean',
  about:
    'Remove what ended runs have left in a queue. A run whose results were not all read is kept: `viva test --resume` reads them.',
  summary: 'Remove what ended runs have left in a queue',
  group: 'Test',
  examples: [
    ['viva queue clean --queue redis://redis:6379', 'remove what nobody needs any more'],
    [
      'viva queue clean --queue redis://redis:6379 --run 20260101120000-0a1b2c3d',
      'remove one run, with results that were not read',
    ],
  ],
  arguments: [],
  flags: [
    queueFlag,
    { spec: '--run <id>', about: 'remove this run, as viva queue status names it, and nothing else' },
  ],
  async run(given, shell) {
    const { queueCleanCommand } = await import('../work/queue.ts')
    return queueCleanCommand(given, shell)
  },
}
