import { type Command as Commander, Help } from 'commander'
import type { OutputStream } from '../system/shell.ts'
import type { Command } from './command.ts'

/** Longer flags have their description on the next line, so that one of them does not push all descriptions aside. */
const widestTerm = 26
const narrowest = 60
const widest = 100

/** How commander prints help: a command with its subcommands on one line each, in columns that fit the terminal. */
export function helpFormat({ columns = 80 }: OutputStream): Partial<Help> {
  const standard = new Help()
  return {
    helpWidth: Math.max(narrowest, Math.min(columns, widest)),
    visibleCommands: (command) =>
      standard
        .visibleCommands(command)
        .flatMap((each) => (each.commands.length === 0 ? each : each.commands)),
    subcommandTerm: (command) => commandPath(command),
    padWidth: (command, helper) => Math.min(standard.padWidth(command, helper), widestTerm),
    formatItem(term, width, description, helper) {
      if (term.length <= width) return standard.formatItem.call(this, term, width, description, helper)
      const below = standard.formatItem.call(this, '', width, description, helper)
      return `  ${term}\n${below}`
    },
  }
}

/** `judge check` for a command below another. */
function commandPath(command: Commander): string {
  const { parent } = command
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name()
}

/** The end of a command's help. */
export function examplesText(examples: Command['examples']): string {
  return `\nExamples:\n${examples.map(([line, about]) => `  ${line}\n      ${about}`).join('\n')}`
}
