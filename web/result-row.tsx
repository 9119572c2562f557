import { oneLine } from '../src/reporters/printable.ts'
import { formatDollars } from '../src/text/dollars.ts'
import { shortTime } from '../src/text/duration.ts'
import type { ShownGroup } from './filter-rows.ts'
import { countTrials, type Group } from './group-rows.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import { outcomeNames } from './outcomes.ts'
import type { PageRow } from './report-data.ts'

interface ResultRowProps {
  rows: readonly PageRow[]
  shown: ShownGroup
  index: number
  variants: boolean
  opened?: number
  onOpen: (position: number) => void
}

/** A case with its outcome and, if it did not pass, the reason. */
export function ResultRow({ rows, shown, index, variants, opened, onOpen }: ResultRowProps) {
  const { group, matching } = shown
  const { head, runs, worst } = group
  const shownRun =
    matching.find((position) => rows[position]?.outcome === worst) ?? matching[0] ?? runs[0] ?? 0
  const row = rows[shownRun] ?? head
  const title = row.name ?? row.opening
  const trials = runs.length > 1 ? countTrials(rows, group) : undefined
  return (
    <tr class={opened === undefined ? row.outcome : `${row.outcome} opened`} aria-rowindex={index}>
      <td class="of-outcome">
        <OutcomeMark outcome={worst} />
      </td>
      <td class="of-case">
        <div class="case-line">
          <button
            type="button"
            class="open-case"
            onClick={() => onOpen(shownRun)}
            {...(opened === undefined ? {} : { 'aria-current': true })}
          >
            <span class="case-id">{oneLine(row.id, 80)}</span>{' '}
            <span class="case-name">{title === undefined ? '' : oneLine(title, 160)}</span>
          </button>
          {row.origin === undefined ? null : <span class="chip origin">{row.origin}</span>}
          {row.unexpectedPass ? <span class="chip">passed, though expected to fail</span> : null}
          {row.flaky ? <span class="chip">flaky</span> : null}
          {row.unchecked ? <span class="chip">unchecked</span> : null}
          {(row.tags ?? []).slice(0, 4).map((tag) => (
            <span key={tag} class="tag">
              {oneLine(tag, 24)}
            </span>
          ))}
          {(row.tags ?? []).length > 4 ? <span class="tag">+{(row.tags ?? []).length - 4}</span> : null}
        </div>
        <div class="case-line second">
          {runs.length > 1 ? <RunDots rows={rows} shown={shown} opened={opened} onOpen={onOpen} /> : null}
          {trials === undefined || worst === 'passed' ? null : (
            <span class="rate">
              {trials.passed} of {trials.judged}
            </span>
          )}
          {row.reason === undefined ? (
            <span class="opening">
              {row.name === undefined ? oneLine(row.file) : oneLine(row.opening ?? row.file)}
            </span>
          ) : (
            <span class="reason">{oneLine(row.reason, 300)}</span>
          )}
        </div>
        <div class="case-line figures">
          {variants && row.variant !== '' ? <span class="variant">{oneLine(row.variant, 40)}</span> : null}
          <Figures group={group} />
        </div>
      </td>
      {variants ? <td class="of-variant">{oneLine(row.variant, 60)}</td> : null}
      <td class="of-turns figure">{head.script ? 'script' : turnsText(group)}</td>
      <td class="of-duration figure">{shortTime(group.durationMs)}</td>
      <td class="of-cost figure">{group.cost === undefined ? '–' : formatDollars(group.cost)}</td>
    </tr>
  )
}

/** What wide tables have columns for: of one run, on average. */
function Figures({ group }: { group: Group }) {
  const { head, runs, turns, durationMs, cost } = group
  return (
    <>
      <span>{head.script ? 'script' : `${turnsText(group)} ${turns === 1 ? 'turn' : 'turns'}`}</span>
      <span>{shortTime(durationMs)}</span>
      {cost === undefined ? null : <span>{formatDollars(cost)}</span>}
      {runs.length > 1 ? <span>per run</span> : null}
    </>
  )
}

function turnsText({ turns }: Group): string {
  return String(Math.round(turns * 10) / 10)
}

const mostDots = 20

interface RunDotsProps {
  rows: readonly PageRow[]
  shown: ShownGroup
  opened?: number | undefined
  onOpen: (position: number) => void
}

/** A mark a run, each of which opens it. */
function RunDots({ rows, shown: { group, matching }, opened, onOpen }: RunDotsProps) {
  return (
    <span class="runs">
      {group.runs.slice(0, mostDots).map((position) => {
        const row = rows[position]
        if (row === undefined) return null
        const name = `Run ${row.run}: ${outcomeNames[row.outcome]}`
        const classes = [
          'run',
          matching.includes(position) ? '' : 'other',
          position === opened ? 'current' : '',
        ]
        return (
          <button
            key={position}
            type="button"
            class={classes.join(' ')}
            title={name}
            aria-label={name}
            onClick={() => onOpen(position)}
          >
            <OutcomeMark outcome={row.outcome} silent />
          </button>
        )
      })}
      {group.runs.length > mostDots ? <span>+{group.runs.length - mostDots}</span> : null}
    </span>
  )
}
