import { redactAgentName } from '../models/network/address.ts'
import type { Key } from '../results/key.ts'
import { createRerunCommand } from '../text/run-again.ts'
import { shellQuote } from '../text/shell-quote.ts'
import { type Flag, longName } from './flag.ts'
import { type FlagName, flagList, flags, type GivenFlags } from './flags.ts'

/** The command as it was given, without what holds for one run only. */
export function commandText(given: GivenFlags, command = 'test'): string {
  return commandWords(given, command).join(' ')
}

/** With more ids than these a command is hard to read. */
export const mostIds = 10

/** The command that plays only what failed. `isInHistory`: whether `--last-failed` finds cases of that file. */
export function rerunCommand(
  given: GivenFlags,
  failed: readonly Key[],
  isInHistory: (file: string) => boolean,
  command = 'test',
): string {
  const ids = [...new Set(failed.map(({ id }) => id))]
  if (ids.length <= mostIds || !failed.every(({ file }) => isInHistory(file)))
    return createRerunCommand(commandText(given, command), ids)
  const filters = flagWords(given, (name) => name === 'run' || name === 'tag')
  return [...commandWords(given), ...filters, '--last-failed'].join(' ')
}

/** The command that finishes an interrupted run: the same flags again, the outputs included. */
export function resumeCommand({ resume: _, ...given }: GivenFlags, journal: string): string {
  return ['viva', 'test', ...flagWords(given), '--resume', shellQuote(journal)].join(' ')
}

function commandWords(given: GivenFlags, command = 'test'): string[] {
  return ['viva', command, ...flagWords(given, (_, flag) => flag.once !== true)]
}

function flagWords(
  given: GivenFlags,
  isWanted: (name: FlagName, flag: Flag) => boolean = () => true,
): string[] {
  return flagList().flatMap(([name, flag]) => (isWanted(name, flag) ? flagToWords(flag, given[name]) : []))
}

function flagToWords(flag: Parameters<typeof longName>[0], value: GivenFlags[keyof GivenFlags]): string[] {
  // One like `--no-transcripts` is given when it is false.
  if (flag.spec.startsWith('--no-')) return value === false ? [flag.spec] : []
  if (value === undefined || value === false) return []
  const short = /^-\w/.exec(flag.spec)?.[0] ?? longName(flag)
  // An agent may be named by an address with credentials in it; those must be given again.
  const shown = (item: string) =>
    flag === flags.name || flag === flags.connector ? redactAgentName(item) : item
  return [value]
    .flat()
    .flatMap((item) => (item === true ? [short] : [short, shellQuote(shown(String(item)))]))
}
