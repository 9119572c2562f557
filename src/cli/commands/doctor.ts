import type { Command } from '../command.ts'
import type { DoctorFlags } from '../work/doctor.ts'

export const doctor: Command<DoctorFlags> = {
  name: 'doctor',
  about:
    'Check the project: Node, the config, agents, connectors and their keys, MCP servers, and what viva test would run. ' +
    'Uses no network, unless --online is given. Exits with code 2 if something is wrong.',
  summary: 'Check the config, agents, connectors and keys of the project',
  group: 'Project',
  examples: [
    ['viva doctor', 'check everything that needs no network'],
    ['viva doctor --online --start', 'also contact the servers, and start the MCP servers'],
  ],
  arguments: [],
  flags: [
    { spec: '--online', about: 'contact the servers of connectors and agents, without a key' },
    { spec: '--start', about: 'start the MCP servers and list their tools' },
    { spec: '--json', about: 'print the findings as JSON' },
  ],
  async run(given, shell) {
    const { doctorCommand } = await import('../work/doctor.ts')
    return doctorCommand(given, shell)
  },
}
