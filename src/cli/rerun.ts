import { agentToShow } from '../network/address.ts'
import type { Key } from '../results/key.ts'
import { runAgain } from '../run-again.ts'
import { shellQuote } from '../shell-quote.ts'
import { type FlagName, flagList, flags, type GivenFlags, longName } from './flags.ts'

/** The command as it was given, without what holds for one run only. */
export function testCommandOf(given: GivenFlags, command = 'test'): string {
  return commandWords(given, command).join(' ')
}

/** With more ids than these a command is hard to read. */
const mostIds = 10

/** The command that plays only what failed. `isInHistory`: whether `--last-failed` finds cases of that file. */
export function rerunCommand(
  given: GivenFlags,
  failed: readonly Key[],
  isInHistory: (file: string) => boolean,
): string {
  const ids = [...new Set(failed.map(({ id }) => id))]
  if (ids.length <= mostIds || !failed.every(({ file }) => isInHistory(file)))
    return runAgain(testCommandOf(given), ids)
  return [...commandWords(given), ...filterWords(given, ['run', 'tag']), '--last-failed'].join(' ')
}

/** Of the flags that hold for one run only, those that hold for the rest of it, too. */
const ofTheSameRun: readonly FlagName[] = ['run', 'tag', 'lastFailed', 'baseline']

/** The command that finishes an interrupted run. */
export function resumeCommand(given: GivenFlags, journal: string): string {
  return [...commandWords(given), ...filterWords(given, ofTheSameRun), '--resume', shellQuote(journal)].join(
    ' ',
  )
}

function filterWords(given: GivenFlags, names: readonly FlagName[]): string[] {
  return flagList().flatMap(([name, flag]) => (names.includes(name) ? wordsOf(flag, given[name]) : []))
}

function commandWords(given: GivenFlags, command = 'test'): string[] {
  const words = flagList().flatMap(([name, flag]) => (flag.once ? [] : wordsOf(flag, given[name])))
  return ['viva', command, ...words]
}

function wordsOf(flag: Parameters<typeof longName>[0], value: GivenFlags[keyof GivenFlags]): string[] {
  // One like `--no-transcripts` is given when it is false.
  if (flag.spec.startsWith('--no-')) return value === false ? [flag.spec] : []
  if (value === undefined || value === false) return []
  const short = /^-\w/.exec(flag.spec)?.[0] ?? longName(flag)
  // An agent may be named by an address with credentials in it; those must be given again.
  const shown = (item: string) => (flag === flags.name || flag === flags.connector ? agentToShow(item) : item)
  return [value]
    .flat()
    .flatMap((item) => (item === true ? [short] : [short, shellQuote(shown(String(item)))]))
}
