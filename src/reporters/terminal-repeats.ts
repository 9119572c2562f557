import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import { caseText } from '../results/stability.ts'
import type { Inked, Pen } from './pen.ts'
import { runsText } from './runs-text.ts'

/** A result as lines. `head` and `tail` make the first line; the runs it stands for are named between them. */
export interface Block {
  head: Inked
  tail: Inked
  body: Inked[]
}

export function blockLines({ head, tail, body }: Block, which: string, pen: Pen): Inked[] {
  return [pen.line`${head}${which}${tail}`, ...body]
}

/** Prints results. Of a case with several runs, those that look the same are printed once, when all of its runs are over. */
export interface Repeats {
  start(runs: number): void
  /** `look` gives the block without times, by which runs are compared. */
  add(key: Key, block: Block, look: () => Block): void
  /** Prints the cases that did not complete all their runs, when the run ends. */
  flush(): void
}

interface Played {
  count: number
  /** By their text without times. */
  groups: Map<string, { block: Block; runs: number[] }>
}

export function createRepeats(print: (lines: readonly Inked[]) => void, pen: Pen): Repeats {
  let total = 1
  const cases = new Map<string, Played>()
  const printGroups = ({ groups }: Played) => {
    for (const { block, runs } of groups.values()) print(blockLines(block, runsNote(runs), pen))
  }
  return {
    start(runs) {
      total = runs
    },
    add(key, block, look) {
      if (total === 1) return print(blockLines(block, '', pen))
      const name = caseText(key)
      const played = cases.get(name) ?? { count: 0, groups: new Map() }
      cases.set(name, played)
      played.count += 1
      // A single line is printed immediately.
      if (block.body.length === 0) print(blockLines(block, runsNote([key.run]), pen))
      else {
        const text = blockLines(look(), '', pen)
          .map((line) => line.text)
          .join('\n')
        const group = played.groups.get(text) ?? { block, runs: [] }
        played.groups.set(text, group)
        group.runs.push(key.run)
      }
      if (played.count < total) return
      printGroups(played)
      cases.delete(name)
    },
    flush() {
      for (const played of cases.values()) printGroups(played)
      cases.clear()
    },
  }
}

/** ` (run 2)`, ` × 3 (runs 1, 2, 5)` */
function runsNote(runs: readonly number[]): string {
  return `${runs.length > 1 ? ` × ${runs.length}` : ''} (${runsText(runs)})`
}

/** The same result with all times set to zero. */
export function dropTimes(result: CaseResult): CaseResult {
  const { view, script } = result
  return {
    ...result,
    durationMs: 0,
    view: { ...view, turns: view.turns.map((turn) => ({ ...turn, durationMs: 0 })) },
    ...(script && {
      script: { ...script, subtests: script.subtests.map((each) => ({ ...each, durationMs: 0 })) },
    }),
  }
}
