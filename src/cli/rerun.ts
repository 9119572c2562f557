import { agentToShow } from '../network/address.ts'
import { shellQuote } from '../shell-quote.ts'
import { type FlagName, flagList, flags, type GivenFlags, longName } from './flags.ts'

/** The command as it was given, without what holds for one run only. */
export function testCommandOf(given: GivenFlags, command = 'test'): string {
  return commandWords(given, command).join(' ')
}

/** Of the flags that hold for one run only, those that hold for the rest of it, too. */
const ofTheSameRun: readonly FlagName[] = ['run', 'tag', 'lastFailed', 'baseline']

/** The command that finishes an interrupted run. */
export function resumeCommand(given: GivenFlags, journal: string): string {
  const filters = flagList().flatMap(([name, flag]) =>
    ofTheSameRun.includes(name) ? wordsOf(flag, given[name]) : [],
  )
  return [...commandWords(given), ...filters, '--resume', shellQuote(journal)].join(' ')
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
  const shown = (item: string) => (flag === flags.name ? agentToShow(item) : item)
  return [value]
    .flat()
    .flatMap((item) => (item === true ? [short] : [short, shellQuote(shown(String(item)))]))
}
