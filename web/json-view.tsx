import { useState } from 'preact/hooks'
import { printable } from '../src/reporters/printable.ts'
import { LongText } from './long-text.tsx'

const shownAtFirst = 50
/** Deeper levels open with a click. */
const openLevels = 3
const longestLine = 72

/** A value as JSON that can be folded. Only open parts are rendered. */
export function JsonView({ value, open = true }: { value: unknown; open?: boolean }) {
  return (
    <div class="json">
      <Node value={value} level={open ? 0 : openLevels} />
    </div>
  )
}

function Node({ value, level, name }: { value: unknown; level: number; name?: string }) {
  const label = name === undefined ? null : <span class="json-key">{printable(JSON.stringify(name))}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <div class="json-line">
        {label}
        <Plain value={value} />
      </div>
    )
  const short = shortJson(value)
  if (short !== undefined)
    return (
      <div class="json-line">
        {label}
        {printable(short)}
      </div>
    )
  return <Branch value={value} level={level} label={label} />
}

interface BranchProps {
  value: object
  level: number
  label: preact.ComponentChild
}

function Branch({ value, level, label }: BranchProps) {
  const [isOpen, setIsOpen] = useState(level < openLevels)
  const [limit, setLimit] = useState(shownAtFirst)
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const count = `${entries.length} ${isList ? 'items' : entries.length === 1 ? 'field' : 'fields'}`
  return (
    <>
      <div class="json-line">
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          <span class="visually-hidden">{count}</span>
        </button>
        {label}
        {isList ? '[' : '{'}
        {isOpen ? null : (
          <>
            <span class="json-count"> {count} </span>
            {isList ? ']' : '}'}
          </>
        )}
      </div>
      {isOpen ? (
        <>
          <div class="json-level">
            {entries.slice(0, limit).map(([key, member]) => (
              <Node key={key} value={member} level={level + 1} {...(isList ? {} : { name: key })} />
            ))}
            {entries.length > limit ? (
              <button type="button" class="more" onClick={() => setLimit(limit + 500)}>
                {entries.length - limit} more
              </button>
            ) : null}
          </div>
          <div class="json-line">{isList ? ']' : '}'}</div>
        </>
      ) : null}
    </>
  )
}

function Plain({ value }: { value: unknown }) {
  if (typeof value !== 'string') return <span class="json-plain">{JSON.stringify(value) ?? 'undefined'}</span>
  // Line breaks stay, so that long texts are readable.
  return (
    <span class="json-text">
      "<LongText text={value} />"
    </span>
  )
}

/** A value that fits on one line; undefined if it does not. */
function shortJson(value: object): string | undefined {
  const members = Object.values(value)
  if (members.length > 8) return undefined
  if (
    members.some((member) => typeof member === 'object' && member !== null && Object.keys(member).length > 0)
  )
    return undefined
  if (members.some((member) => typeof member === 'string' && member.length > longestLine)) return undefined
  const text = JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ')
  return text.length <= longestLine ? text : undefined
}
