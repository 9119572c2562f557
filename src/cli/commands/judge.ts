import type { Command } from '../command.ts'
import type { JudgeFlags } from '../work/judge.ts'

export const judgeCommandSpec: Command<JudgeFlags> = {
  name: 'judge check',
  about: 'Compare the verdicts of a judge with labels made by people.',
  summary: 'Compare the verdicts of a judge with labels made by people',
  group: 'Project',
  examples: [
    ['viva judge check labels.jsonl', 'measure how far viva.judge agrees with the labels'],
    ['viva judge check labels.jsonl --min-kappa 0.6', 'fail if the agreement is too low'],
  ],
  arguments: [
    [
      '<labels>',
      'a JSONL file with one object per line: {"output": …, "label": "pass" | "fail", "criteria": …}',
    ],
  ],
  flags: [
    { spec: '--criteria <text>', about: 'criteria for labels that do not have their own' },
    { spec: '--use <agent>', about: 'the judge', default: 'viva.judge' },
    { spec: '-c, --connector <id>', about: 'the model of the judge' },
    { spec: '--threshold <number>', about: 'lowest score that passes, as in the checks that use the judge' },
    { spec: '--samples <n>', about: 'how often the judge is asked; the majority counts', default: '1' },
    { spec: '--parallel <n>', about: 'number of labels that are judged at once', default: '4' },
    { spec: '--min-kappa <number>', about: "exit with code 1 if the agreement (Cohen's kappa) is lower" },
    { spec: '--json', about: 'print the figures as JSON' },
  ],
  async run(given, shell, labels = '') {
    const { judgeCommand } = await import('../work/judge.ts')
    return judgeCommand(labels, given, shell)
  },
}
