import type { RunEvent } from '../results/run-event.ts'

/** Takes private data out of an event before it is written or told to anybody; undefined when nothing is left to tell. */
export type Conceal = (event: RunEvent) => RunEvent | undefined

/** One after the other. */
export function concealAll(...steps: readonly Conceal[]): Conceal {
  return (event) => {
    let rest: RunEvent | undefined = event
    for (const step of steps) rest = rest && step(rest)
    return rest
  }
}
