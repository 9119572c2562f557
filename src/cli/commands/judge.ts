import type { Command } from '../command.ts'
import type { JudgeFlags } from '../judge-command.ts'

export const judgeCheck: Command<JudgeFlags> = {
  name: 'judge check',
  about: 'Ask a judge about what people have labelled, and say how far it agrees with them.',
  arguments: [['<labels>', 'a JSONL file: {"output": …, "label": "pass" | "fail", "criteria": …} a line']],
  flags: [
    { spec: '--criteria <text>', about: 'for labels that have none of their own' },
    { spec: '--use <agent>', about: 'the judge', default: 'viva.judge' },
    { spec: '-c, --connector <id>', about: 'the model of the judge' },
    { spec: '--threshold <number>', about: 'the least score that passes, as in the checks that use it' },
    { spec: '--samples <n>', about: 'how often it is asked; the majority counts', default: '1' },
    { spec: '--parallel <n>', about: 'how many at once', default: '4' },
    { spec: '--min-kappa <number>', about: 'exit 1 when it agrees less' },
    { spec: '--json', about: 'the figures as JSON' },
  ],
  async run(given, shell, labels = '') {
    const { judgeCommand } = await import('../judge-command.ts')
    return judgeCommand(labels, given, shell)
  },
}
