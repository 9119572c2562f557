import type { z } from 'zod'
import { findNearest } from '../../text/nearest.ts'
import { isRecord } from '../json.ts'
import { expandForms, findSchemas, readLiterals, readShape, stepsBelow } from './schema-tree.ts'

/** How many places a hint names. */
const deepest = 8

interface Misplaced {
  key: string
  /** The path of the object that has the key. */
  path: (string | number)[]
  /** The object, if it is known: it shows which of several forms was meant. */
  object?: unknown
  schema: z.ZodType
  /** The name of the whole value. */
  whole: string
}

/** A hint for an unknown key: the key that was probably meant, and where a key of that name belongs. */
export function keyHint({ key, path, object, schema, whole }: Misplaced): string | undefined {
  const forms = findSchemas(schema, path)
  const own = forms.filter((form) => isMeant(form, object))
  const guess = findNearest(
    key,
    own.flatMap((form) => Object.keys(readShape(form))),
  )
  const clash = findClash(key, own, object)
  if (clash !== undefined) return clash
  const others = forms.filter((form) => !own.includes(form) && Object.hasOwn(readShape(form), key))
  const place = others.length > 0 ? withLiterals(others) : findPlaces(key, schema, whole)
  const hints = [guess && `did you mean "${guess}"?`, place && `"${key}" belongs ${place}`].filter(Boolean)
  return hints.length === 0 ? undefined : hints.join(' ')
}

/** Whether the object has the discriminator of the form, such as its `type`. */
function isMeant(form: z.ZodType, object: unknown): boolean {
  if (!isRecord(object)) return true
  return Object.entries(readShape(form)).every(([name, field]) => {
    const literals = readLiterals(field)
    return literals.length === 0 || literals.includes(object[name])
  })
}

/** Another form of the object has the key, but not the keys that are given with it. */
function findClash(key: string, forms: readonly z.ZodType[], object: unknown): string | undefined {
  const other = forms.map(readShape).find((shape) => Object.hasOwn(shape, key))
  if (other === undefined || !isRecord(object)) return undefined
  const known = new Set(forms.flatMap((form) => Object.keys(readShape(form))))
  const clash = Object.keys(object).find((name) => known.has(name) && !Object.hasOwn(other, name))
  return clash && `"${key}" cannot be combined with "${clash}"`
}

/** `with type "state"` */
function withLiterals(forms: readonly z.ZodType[]): string | undefined {
  const told = forms.flatMap((form) =>
    Object.entries(readShape(form)).flatMap(([name, field]) => {
      const literals = readLiterals(field)
      return literals.length === 0 ? [] : [{ name, literals }]
    }),
  )
  const [first] = told
  if (first === undefined) return undefined
  const values = told.filter(({ name }) => name === first.name).flatMap(({ literals }) => literals)
  return `with ${first.name} ${joinWords([...new Set(values)].map((value) => JSON.stringify(value)))}`
}

/** `in simulator`: the places nearest to the root where an object has such a key. */
function findPlaces(key: string, schema: z.ZodType, whole: string): string | undefined {
  const seen = new Set<z.ZodType>()
  let level: { place: string; form: z.ZodType }[] = expandForms(schema).map((form) => ({ place: '', form }))
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const fresh = level.filter(({ form }) => !seen.has(form))
    for (const { form } of fresh) seen.add(form)
    const found = fresh
      .filter(({ form }) => Object.hasOwn(readShape(form), key))
      .map(({ place }) => place || whole)
    if (found.length > 0) return `in ${joinWords([...new Set(found)])}`
    level = fresh.flatMap(({ place, form }) =>
      stepsBelow(form).flatMap(([part, below]) =>
        expandForms(below).map((next) => ({ place: joinPlace(place, part), form: next })),
      ),
    )
  }
  return undefined
}

function joinPlace(place: string, part: string): string {
  return part === '[]' || place === '' ? `${place}${part}` : `${place}.${part}`
}

/** `a, b or c`, at most three. */
function joinWords(words: readonly string[]): string {
  const shown = words.slice(0, 3)
  if (words.length > shown.length) return `${shown.join(', ')} and others`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}
