/** Identifies a result: case, variant, run and attempt. */
export interface Key {
  /** Relative to the project, with `/`; empty for a case that is not in a file. */
  file: string
  id: string
  /** The agent and its connector. */
  variant: string
  run: number
  attempt: number
}

/** File, id, variant and run, as results files have them. */
export type ResultName = [file: string, id: string, variant: string, run: number]

/** Identifies what must have one result. The attempt is not part of it, because only the last attempt counts. */
export function keyText(key: Key): string {
  return resultNameText([key.file, key.id, key.variant, key.run])
}

/** Whether two keys are of the same case, variant and run. */
export function isSameKey(one: Key, other: Key): boolean {
  return (
    one.id === other.id && one.run === other.run && one.file === other.file && one.variant === other.variant
  )
}

export function resultNameText(name: ResultName): string {
  return JSON.stringify(name)
}

export function parseResultName(text: string): ResultName {
  return JSON.parse(text) as ResultName
}

/** The variant of script tests, which are not run with an agent. */
export const scriptVariant = 'scripts'
