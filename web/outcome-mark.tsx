import { type Outcome, outcomeNames } from './outcomes.ts'

/** Outcomes have different shapes, so that they do not depend on colour. */
const shapes: Record<Outcome, string> = {
  passed: 'M3.5 8.5l3 3 6-7',
  failed: 'M4 4l8 8M12 4l-8 8',
  broken: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.6v.4',
  known: 'M8 2.5a5.5 5.5 0 1 0 .01 0M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  skipped: 'M3.5 4l4.5 4-4.5 4M8.5 4L13 8l-4.5 4',
  unfinished: 'M4 2.5h8M4 13.5h8M5 2.5c0 3 3 3.5 3 5.5s-3 2.5-3 5.5M11 2.5c0 3-3 3.5-3 5.5s3 2.5 3 5.5',
}

export function OutcomeMark({ outcome, silent }: { outcome: Outcome; silent?: boolean }) {
  const shape = <path d={shapes[outcome] ?? shapes.unfinished} />
  if (silent)
    return (
      <svg class={`mark ${outcome}`} viewBox="0 0 16 16" aria-hidden="true">
        {shape}
      </svg>
    )
  const name = outcomeNames[outcome] ?? 'unknown'
  return (
    <svg class={`mark ${outcome}`} viewBox="0 0 16 16" role="img" aria-label={name}>
      <title>{name}</title>
      {shape}
    </svg>
  )
}
