import { isRecord } from '../../../json/json.ts'
import { shorten } from '../../../text/shorten.ts'
import { changeDate, changeName, changeNumber } from '../change-value.ts'
import { replaceCall } from '../edit-reply.ts'
import { findDates } from '../facts.ts'
import type { Damage, Operator } from '../operator.ts'
import { isExact, visibleCalls } from '../tools.ts'

export const argumentWrong: Operator = {
  name: 'argument_wrong',
  about: 'An argument of a call has another value: another number, date, name, or the opposite.',
  damage: ({ reply }) =>
    visibleCalls(reply).flatMap((call) =>
      listLeaves(call.arguments).flatMap(({ path, value }): Damage[] => {
        const wrong = changeValue(value, path)
        if (wrong === undefined) return []
        const change = () => ({ ...call, arguments: withLeaf(call.arguments, path, wrong) })
        return [
          {
            what: `${path.join('.')} of ${call.name} was ${show(wrong)} instead of ${show(value)}`,
            apply: () => replaceCall(reply, call, [change()]),
          },
        ]
      }),
    ),
}

type Path = readonly (string | number)[]

interface Leaf {
  path: Path
  value: string | number | boolean
}

function listLeaves(value: unknown, path: Path = []): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => listLeaves(item, [...path, index]))
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, part]) => listLeaves(part, [...path, key]))
    : []
}

/** Undefined for what may be written in many ways. */
function changeValue(value: Leaf['value'], path: Path): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return Number(changeNumber(String(value)))
  if (!isExact(value, path)) return undefined
  const [date] = findDates(value)
  if (date !== undefined) return value.replace(date.text, changeDate(date.text))
  return /^[\d.,]+$/.test(value) ? changeNumber(value) : changeName(value)
}

function withLeaf(value: unknown, [key, ...rest]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withLeaf(item, rest, leaf) : item))
  return isRecord(value) ? { ...value, [key]: withLeaf(value[key], rest, leaf) } : value
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? '', 40)
}
