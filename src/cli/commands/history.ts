import type { Command } from '../command.ts'
import type { HistoryFlags } from '../history-command.ts'

export const history: Command<HistoryFlags> = {
  name: 'history',
  about: 'How cases did from run to run: pass rate, time, cost, and which are flaky.',
  arguments: [['[case]', 'the id of one, to see its runs']],
  flags: [
    { spec: '--limit <n>', about: 'how many cases (50 without), or runs (20)' },
    { spec: '--json', about: 'the same as JSON, all of it without --limit' },
  ],
  async run(given, shell, id) {
    const { historyCommand } = await import('../history-command.ts')
    return historyCommand(id, given, shell)
  },
}
