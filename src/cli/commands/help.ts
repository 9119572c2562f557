import type { Command } from '../command.ts'

/** `viva help`: the topics, one of them, or the help of a command. */
export function createHelpCommand(
  commands: () => readonly Command<never>[],
  showHelp: (words: readonly string[]) => Promise<number>,
): Command<object> {
  return {
    name: 'help',
    about: 'Explain a topic, such as assertions or exit-codes, or a command.',
    summary: 'Explain a topic, such as assertions or exit-codes',
    group: 'Help',
    examples: [
      ['viva help', 'list the topics'],
      ['viva help assertions', 'list the assertions'],
    ],
    arguments: [['[topic...]', 'a topic, or a command']],
    flags: [],
    async run(_, shell, ...given) {
      const words = given.filter((word) => word !== undefined)
      const { helpCommand } = await import('../work/help.ts')
      return helpCommand(words, commands(), showHelp, shell)
    },
  }
}
