import { oneLine, printable } from '../src/reporters/printable.ts'
import type { CheckpointLine } from '../src/results/line-schema.ts'
import { shorten } from '../src/text/shorten.ts'
import { TurnLink } from './turn-link.tsx'

/** Checkpoints along a line: reached ones by turn, then the others. */
export function Checkpoints({ checkpoints }: { checkpoints: readonly CheckpointLine[] }) {
  if (checkpoints.length === 0) return null
  const inOrder = [...checkpoints].sort(
    (left, right) =>
      (left.reached_at_turn ?? Number.POSITIVE_INFINITY) -
        (right.reached_at_turn ?? Number.POSITIVE_INFINITY) || 0,
  )
  const wanted = checkpoints.filter(({ forbidden }) => !forbidden)
  const reached = wanted.filter(({ reached_at_turn }) => reached_at_turn !== undefined)
  return (
    <section>
      <h3>
        Checkpoints{' '}
        <span class="note">
          {reached.length} of {wanted.length} reached
        </span>
      </h3>
      <ol class="checkpoints">
        {inOrder.map((checkpoint) => (
          <Checkpoint key={checkpoint.id} checkpoint={checkpoint} />
        ))}
      </ol>
    </section>
  )
}

type Fate = 'reached' | 'missed' | 'left-out' | 'avoided' | 'broken'

const fates: Record<Fate, string> = {
  reached: 'reached',
  missed: 'missed',
  'left-out': 'optional, not reached',
  avoided: 'forbidden, not reached',
  broken: 'forbidden, but reached',
}

function classifyCheckpoint({ reached_at_turn, forbidden, required, passed }: CheckpointLine): Fate {
  if (forbidden) return passed ? 'avoided' : 'broken'
  if (reached_at_turn !== undefined || passed) return 'reached'
  return required === false ? 'left-out' : 'missed'
}

const shapes: Record<Fate, string> = {
  reached: 'M5 8.2l2 2 4-4.5',
  missed: 'M5.5 5.5l5 5M10.5 5.5l-5 5',
  'left-out': '',
  avoided: 'M4.2 11.8l7.6-7.6',
  broken: 'M5.5 5.5l5 5M10.5 5.5l-5 5',
}

function Checkpoint({ checkpoint }: { checkpoint: CheckpointLine }) {
  const fate = classifyCheckpoint(checkpoint)
  const { id, description, reached_at_turn: turn, after = [], reason, status } = checkpoint
  return (
    <li class={`checkpoint ${fate}`}>
      <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
        {fate === 'avoided' || fate === 'broken' ? (
          <rect x="1.5" y="1.5" width="13" height="13" />
        ) : (
          <circle cx="8" cy="8" r="6.5" />
        )}
        <path d={shapes[fate]} />
      </svg>
      <div>
        <b>{oneLine(id, 120)}</b> <span class="fate">{fates[fate]}</span>{' '}
        {turn === undefined ? null : <TurnLink turn={turn} />}
        {after.length > 0 ? (
          <span class="small-print"> after {after.map((each) => oneLine(each, 60)).join(', ')}</span>
        ) : null}
        {description === undefined ? null : <p>{printable(shorten(description, 500))}</p>}
        <p class="small-print">
          {status === 'waiting'
            ? 'waiting for the checkpoints before it'
            : printable(shorten(reason ?? '', 1000))}
        </p>
      </div>
    </li>
  )
}
