import type { Command } from '../command.ts'
import type { CompletionFlags } from '../work/completion.ts'

/** `viva completion bash`: a script that completes commands, flags and values in a shell. */
export function createCompletionCommand(commands: () => readonly Command<never>[]): Command<CompletionFlags> {
  return {
    name: 'completion',
    about: 'Print a script that completes commands, flags and values in a shell.',
    summary: 'Print a script that completes commands in bash, zsh or fish',
    group: 'Help',
    examples: [
      ['eval "$(viva completion bash)"', 'complete in this shell'],
      ['viva completion fish > ~/.config/fish/completions/viva.fish', 'complete in every fish'],
    ],
    arguments: [['[shell]', 'bash, zsh or fish']],
    flags: [{ spec: '--agents', about: 'print the names of the agents', hidden: true }],
    async run(given, shell, name) {
      const { completionCommand } = await import('../work/completion.ts')
      return completionCommand(name, given, commands(), shell)
    },
  }
}
