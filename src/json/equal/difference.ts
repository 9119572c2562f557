/** How a part is reached from what it is in: an index, a key, a key of a Map, a method that shows it. */
export type PathPart = number | string | symbol | { get: unknown } | { call: string }

/** What tells two values apart, where one looks at them. */
export interface Mismatch {
  /** `missing` and `extra`: a part is on one side only. `size`: both are numbers of parts. */
  about: 'value' | 'missing' | 'extra' | 'size' | 'member'
  expected?: unknown
  actual?: unknown
  /** Of the part, where it is one level deeper. */
  label?: PathPart
}

/** The first place where two values differ, looked for in the order of their keys. */
export interface Difference extends Mismatch {
  /** From the outermost on. */
  path: readonly PathPart[]
}
