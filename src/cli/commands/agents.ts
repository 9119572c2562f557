import type { AgentsFlags } from '../agents-command.ts'
import type { Command } from '../command.ts'

export const agents: Command<AgentsFlags> = {
  name: 'agents',
  about: 'List the agents of the app here: connector, tools, hooks.',
  arguments: [],
  flags: [
    { spec: '--check', about: 'look into all of them, and say what is wrong (exit 2)' },
    { spec: '--json', about: 'the same as JSON' },
  ],
  async run(given, shell) {
    const { agentsCommand } = await import('../agents-command.ts')
    return agentsCommand(given, shell)
  },
}
