import { auditFlags } from '../audit-flags.ts'
import { checkFlags } from '../check-flags.ts'
import type { Command } from '../command.ts'
import { withInputs } from './test.ts'

/** `viva audit`: which cases pass against agents that must not. */
export const audit: Command = {
  name: 'audit',
  about: 'Run cases against agents that must not pass, and list the cases that pass anyway.',
  summary: 'Find cases that pass against agents that must not pass',
  group: 'Test',
  examples: [
    ['viva audit tests/', 'find cases that also pass when the agent says nothing useful'],
    ['viva audit tests/ -n expense -v', 'include the agent with failing tools, and show every turn'],
  ],
  arguments: [['[inputs...]', 'case files or folders']],
  flags: auditFlags,
  async run(given, shell, ...inputs) {
    checkFlags(given)
    const { auditCommand } = await import('../work/audit.ts')
    return auditCommand(withInputs(given, inputs), shell)
  },
}
