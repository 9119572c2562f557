import type { Command } from '../command.ts'
import type { GivenWorkerFlags } from '../work/worker.ts'
import { workerFlags } from '../worker-flags.ts'

export const worker: Command<GivenWorkerFlags> = {
  name: 'worker',
  about: 'Wait for runs in a queue, and run their cases. Start it in the folder of the project.',
  summary: 'Run cases for viva test --queue',
  group: 'Test',
  examples: [
    ['viva worker --queue redis://redis:6379', 'run up to four cases at once, of one run after the other'],
    ['viva worker --queue redis://redis:6379 --concurrency 16 --once', 'take part in one run only'],
  ],
  arguments: [],
  flags: Object.values(workerFlags),
  async run(given, shell) {
    const { workerCommand } = await import('../work/worker.ts')
    return workerCommand(given, shell)
  },
}
