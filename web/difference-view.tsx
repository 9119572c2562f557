import { useMemo, useState } from 'preact/hooks'
import { printable } from '../src/reporters/printable.ts'
import type { CheckLine } from '../src/results/line-schema.ts'
import { type Difference, type DifferencePart, foldSame } from './difference.ts'
import { checkDifference, describeRelation } from './expectation.ts'
import { Value } from './value.tsx'

/** The expected and the actual value of a check: as one text with marked differences, or as two texts. */
export function DifferenceView({ check }: { check: CheckLine }) {
  const { expected, actual } = check
  const difference = useMemo(() => checkDifference(check), [check])
  const relation = describeRelation(check)
  if (difference === undefined)
    return (
      <dl class="two-values">
        {expected === undefined ? null : (
          <div class="expected">
            <dt>Expected</dt>
            <dd>
              {relation === '' ? null : <span class="relation">{relation}</span>} <Value value={expected} />
            </dd>
          </div>
        )}
        <div class="actual">
          <dt>Got</dt>
          <dd>
            <Value value={actual} />
          </dd>
        </div>
      </dl>
    )
  return (
    <figure class="difference">
      <figcaption>
        <del>− expected</del> <ins>+ got</ins>
      </figcaption>
      <div class={difference.by}>
        {difference.parts.map((part, index) => (
          <Part key={index} part={part} by={difference.by} />
        ))}
      </div>
    </figure>
  )
}

function Part({ part: { kind, text }, by }: { part: DifferencePart; by: Difference['by'] }) {
  const [isOpen, setIsOpen] = useState(false)
  const signed = (sign: string) => (by === 'lines' ? text.replace(/^(?=.|\n)/gm, sign) : text)
  if (kind === 'missing') return <del>{printable(signed('− '))}</del>
  if (kind === 'unexpected') return <ins>{printable(signed('+ '))}</ins>
  const [start, middle, end] = foldSame(signed('  '), by)
  if (middle === '' || isOpen) return <span>{printable(signed('  '))}</span>
  return (
    <span>
      {printable(start)}
      <button type="button" class="more" onClick={() => setIsOpen(true)}>
        ⋯{' '}
        {by === 'lines'
          ? `${middle.split('\n').length - 1} equal lines`
          : `${middle.length} equal characters`}
      </button>
      {by === 'lines' ? '\n' : ''}
      {printable(end)}
    </span>
  )
}
