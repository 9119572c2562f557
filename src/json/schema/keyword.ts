import { shorten } from '../../text/shorten.ts'

/** What data is not as a schema wants it, and where in the data. */
export interface SchemaFault {
  path: (string | number)[]
  message: string
}

/** What is wrong with a schema itself, and where in the schema. */
export interface SchemaProblem {
  path: (string | number)[]
  message: string
}

/** Where in the data an evaluation stands: the way up, so that nothing is copied on the way down. */
export interface DataPlace {
  parent: DataPlace | undefined
  key: string | number
}

/** What one schema says about one value: its faults, and what of the value it has looked at. */
export interface Evaluation {
  faults: SchemaFault[]
  /** For `unevaluatedProperties`. */
  keys: Set<string>
  /** For `unevaluatedItems`. */
  items: Set<number>
}

export interface Subschema {
  evaluate(data: unknown, place: DataPlace | undefined): Evaluation
}

export type Evaluate = (data: unknown, place: DataPlace | undefined, into: Evaluation) => void

/** What a keyword is compiled with. */
export interface KeywordContext {
  /** The object the keyword stands in. */
  schema: Record<string, unknown>
  /** Tells what is wrong with the keyword: `must be a number`. */
  problem(message: string): undefined
  /** The schema below the keyword. */
  subschema(schema: unknown, ...path: (string | number)[]): Subschema
  /** The schema of a keyword beside this one. */
  sibling(keyword: string): Subschema
  /** The schema that `$ref` names, or nothing where there is none. */
  reference(ref: string): Subschema | undefined
}

/** One keyword: checks what the author wrote, and gives what to do with data. Nothing where it does nothing. */
export type Keyword = (operand: unknown, context: KeywordContext) => Evaluate | undefined

export function fault(into: Evaluation, place: DataPlace | undefined, message: string): void {
  into.faults.push({ path: pathOf(place), message })
}

function pathOf(place: DataPlace | undefined): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.parent) path.unshift(at.key)
  return path
}

/** A part of the value is judged: its faults count, and it has been looked at. */
export function descend(into: Evaluation, part: Subschema, data: unknown, place: DataPlace): void {
  for (const each of part.evaluate(data, place).faults) into.faults.push(each)
  if (typeof place.key === 'number') into.items.add(place.key)
  else into.keys.add(place.key)
}

/** What another schema has looked at in the same value counts as looked at. */
export function adopt(into: Evaluation, other: Evaluation): void {
  for (const key of other.keys) into.keys.add(key)
  for (const item of other.items) into.items.add(item)
}

/** A schema that must hold of the same value. */
export function include(into: Evaluation, other: Evaluation): void {
  for (const each of other.faults) into.faults.push(each)
  adopt(into, other)
}

export function shown(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'missing', 80)
}
