import type { Command } from '../command.ts'
import type { HistoryFlags } from '../work/history.ts'

export const history: Command<HistoryFlags> = {
  name: 'history',
  about: 'Show how cases did from run to run: pass rate, time, cost, and which are flaky.',
  summary: 'Show how cases did from run to run',
  group: 'Results',
  examples: [
    ['viva history', 'list the cases of the recent runs'],
    ['viva history refund --limit 5', 'show the last five runs of one case'],
  ],
  arguments: [['[case]', 'id of a case, to show its runs']],
  flags: [
    { spec: '--limit <n>', about: 'maximum number of cases (default: 50) or runs (default: 20)' },
    { spec: '--json', about: 'print the history as JSON; without --limit, all of it' },
  ],
  async run(given, shell, id) {
    const { historyCommand } = await import('../work/history.ts')
    return historyCommand(id, given, shell)
  },
}
