import { shorten } from '../../text/shorten.ts'

/** What data is not as a schema wants it, and where in the data. */
export interface SchemaFault {
  path: (string | number)[]
  message: string
}

/** A mistake in a schema, with the place in the schema. */
export type SchemaProblem = SchemaFault

/** Where in the data an evaluation stands: the way up, so that nothing is copied on the way down. */
export interface DataPlace {
  parent: DataPlace | undefined
  key: string | number
}

/** The result of one schema for one value: its faults, and the parts of the value that were evaluated. */
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

/** What the compilation of a keyword needs. */
export interface KeywordContext {
  /** The schema that contains the keyword. */
  schema: Record<string, unknown>
  /** Reports a mistake in the keyword: `must be a number`. */
  problem(message: string): undefined
  /** Compiles a schema inside the keyword. */
  subschema(schema: unknown, ...path: (string | number)[]): Subschema
  /** Compiles the schema of another keyword of the same object. */
  sibling(keyword: string): Subschema
  /** The schema that `$ref` names; undefined if there is none. */
  reference(ref: string): Subschema | undefined
}

/** Compiles one keyword: checks what the author wrote and returns the evaluation; undefined if it has no effect. */
export type Keyword = (operand: unknown, context: KeywordContext) => Evaluate | undefined

export function fault(into: Evaluation, place: DataPlace | undefined, message: string): void {
  into.faults.push({ path: toPath(place), message })
}

function toPath(place: DataPlace | undefined): (string | number)[] {
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

/** Parts of the same value that another schema has evaluated count as evaluated. */
export function adopt(into: Evaluation, other: Evaluation): void {
  for (const key of other.keys) into.keys.add(key)
  for (const item of other.items) into.items.add(item)
}

/** Adds the result of a schema that the same value must match. */
export function include(into: Evaluation, other: Evaluation): void {
  for (const each of other.faults) into.faults.push(each)
  adopt(into, other)
}

export function formatData(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'missing', 80)
}
