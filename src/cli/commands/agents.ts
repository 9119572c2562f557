import type { Command } from '../command.ts'
import type { AgentsFlags } from '../work/agents.ts'

export const agents: Command<AgentsFlags> = {
  name: 'agents',
  about: 'List the agents of the app in this folder, with their connectors, tools and hooks.',
  summary: 'List the agents of the app in this folder',
  group: 'Project',
  examples: [
    ['viva agents', 'list the agents'],
    ['viva agents --check', 'report what is wrong with them'],
  ],
  arguments: [],
  flags: [
    { spec: '--check', about: 'check all of them and report what is wrong (exit code 2)' },
    { spec: '--json', about: 'print the list as JSON' },
  ],
  async run(given, shell) {
    const { agentsCommand } = await import('../work/agents.ts')
    return agentsCommand(given, shell)
  },
}
