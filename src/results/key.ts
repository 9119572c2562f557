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

/** Identifies what must have one result, whatever the number of attempts. */
export type ResultKey = Omit<Key, 'attempt'>

/** Identifies a case with a variant, whatever the run. */
export function anyRun({ file, id, variant }: Key): ResultKey {
  return { file, id, variant, run: 0 }
}

/** File, id, variant and run, as results files have them. */
export type ResultName = [file: string, id: string, variant: string, run: number]

/** The attempt is not part of it, because only the last attempt counts. */
export function keyText(key: ResultKey): string {
  return JSON.stringify(resultName(key))
}

/** Whether two keys are of the same case, variant and run. */
export function isSameKey(one: Key, other: Key): boolean {
  return (
    one.id === other.id && one.run === other.run && one.file === other.file && one.variant === other.variant
  )
}

export function resultName({ file, id, variant, run }: ResultKey): ResultName {
  return [file, id, variant, run]
}

/** The variant of script tests, which are not run with an agent. */
export const scriptVariant = 'scripts'
