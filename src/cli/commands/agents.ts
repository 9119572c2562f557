import type { AgentsFlags } from '../agents-command.ts'
import type { Command } from '../command.ts'

export const agents: Command<AgentsFlags> = {
  name: 'agents',
  about: 'List the agents of the app in this folder, with their connectors, tools and hooks.',
  arguments: [],
  flags: [
    { spec: '--check', about: 'check all of them and report what is wrong (exit code 2)' },
    { spec: '--json', about: 'print the list as JSON' },
  ],
  async run(given, shell) {
    const { agentsCommand } = await import('../agents-command.ts')
    return agentsCommand(given, shell)
  },
}
