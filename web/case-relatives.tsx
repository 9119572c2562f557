import { oneLine } from '../src/reporters/printable.ts'
import type { CaseIndex } from './case-index.ts'
import { describeStability } from './figures.ts'
import { countTrials } from './group-rows.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import type { PageRow } from './report-data.ts'

interface CaseRelativesProps {
  rows: readonly PageRow[]
  index: CaseIndex
  position: number
  onOpen: (position: number) => void
}

/** The other runs of the case, its earlier attempts, and the same case with other variants. */
export function CaseRelatives({ rows, index, position, onOpen }: CaseRelativesProps) {
  const own = index.ofRow.get(position)
  if (own === undefined) return null
  const row = rows[position]
  const attempts = [...own.earlier, ...own.runs].filter((other) => rows[other]?.run === row?.run)
  const variants = (index.ofId.get(own.head.id) ?? []).filter(({ head }) => head.file === own.head.file)
  const trials = countTrials(rows, own)
  return (
    <>
      {own.runs.length > 1 ? (
        <nav class="relatives" aria-label="Runs">
          {own.runs.map((other) => (
            <Relative
              key={other}
              name={`Run ${rows[other]?.run}`}
              row={rows[other]}
              current={rows[other]?.run === row?.run}
              onOpen={() => onOpen(other)}
            />
          ))}
          {trials === undefined ? null : (
            <span class="rate">
              {trials.passed} of {trials.judged} passed
              {row?.origin === undefined
                ? ` (${Math.round(trials.rate)}%), ${describeStability(trials)}`
                : ''}
            </span>
          )}
        </nav>
      ) : null}
      {attempts.length > 1 ? (
        <nav class="relatives" aria-label="Attempts">
          {attempts.map((other) => (
            <Relative
              key={other}
              name={`Attempt ${rows[other]?.attempt}`}
              row={rows[other]}
              current={other === position}
              onOpen={() => onOpen(other)}
            />
          ))}
        </nav>
      ) : null}
      {variants.length > 1 ? (
        <nav class="relatives" aria-label="Variants">
          {variants.map((other) => (
            <Relative
              key={other.head.variant}
              name={oneLine(other.head.variant, 40) || 'no variant'}
              row={rows[other.runs.find((run) => rows[run]?.run === row?.run) ?? other.runs[0] ?? -1]}
              current={other === own}
              onOpen={() =>
                onOpen(other.runs.find((run) => rows[run]?.run === row?.run) ?? other.runs[0] ?? 0)
              }
            />
          ))}
        </nav>
      ) : null}
    </>
  )
}

interface RelativeProps {
  name: string
  row: PageRow | undefined
  current: boolean
  onOpen: () => void
}

function Relative({ name, row, current, onOpen }: RelativeProps) {
  return (
    <button
      type="button"
      class="relative"
      onClick={onOpen}
      {...(current ? { 'aria-current': 'true' as const } : {})}
    >
      {row ? <OutcomeMark outcome={row.outcome} /> : null} {name}
    </button>
  )
}
