import type { Command } from '../command.ts'
import type { InitFlags } from '../init/init.ts'

export const init: Command<InitFlags> = {
  name: 'init',
  about: 'Find the agent in this folder, write a config and first cases for it, and run them.',
  summary: 'Find the agent in this folder, and write first cases',
  group: 'Project',
  examples: [
    ['viva init', 'asks at most three questions'],
    ['viva init --yes', 'takes the default answers'],
  ],
  arguments: [],
  flags: [
    { spec: '-y, --yes', about: 'take the default answers; also without a terminal' },
    { spec: '-n, --name <agent>', about: 'agent to test, as for viva test, or one that was found' },
    { spec: '--no-run', about: 'write the files, and do not run the cases' },
  ],
  async run(given, shell) {
    const { initCommand } = await import('../init/init.ts')
    return initCommand(given, shell)
  },
}
