import type { Problem } from '../errors.ts'
import { queueAddressProblem } from '../run/workers/address.ts'
import { type Flag, longName } from './flag.ts'
import { duration, wholeNumber } from './flag-values.ts'

export const queueFlag: Flag = {
  spec: '--queue <url>',
  about: 'the queue: redis://host:6379',
  problem: queueAddressProblem,
}

/** The flags of `viva worker`. */
export const workerFlags = {
  queue: queueFlag,
  concurrency: {
    spec: '--concurrency <n>',
    about: 'number of cases that run at once',
    default: '4',
    problem: wholeNumber(1, 1000),
  },
  once: { spec: '--once', about: 'end when the first run has ended' },
  grace: {
    spec: '--grace <duration>',
    about: 'how long running cases may go on after SIGTERM; then other workers run them again',
    default: '20s',
    problem: duration,
  },
  name: {
    spec: '-n, --name <agent>',
    about: 'agent outside of the project that runs may test: a URL or a command (repeatable)',
    repeat: true,
  },
  connector: {
    spec: '-c, --connector <id>',
    about: 'address of a model that runs may use with -c: openai:URL#model (repeatable)',
    repeat: true,
  },
} satisfies Record<string, Flag>

/** What is wrong with the values of flags. */
export function flagValueProblems(
  flags: Record<string, Flag>,
  given: Readonly<Record<string, unknown>>,
): Problem[] {
  return Object.entries(flags).flatMap(([name, flag]) => {
    const value = given[name]
    const problem = typeof value === 'string' ? flag.problem?.(value) : undefined
    return problem ? [{ code: 'bad_flag', message: `${longName(flag)} ${String(value)}: ${problem}` }] : []
  })
}
