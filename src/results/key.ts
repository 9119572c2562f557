/** What makes a result the result of one thing: which case, against which variant, which run and attempt. */
export interface Key {
  /** Relative to the project, with `/`; empty for a case that is in no file. */
  file: string
  id: string
  /** Which agent and connector, in words. */
  variant: string
  run: number
  attempt: number
}

/** File, id, variant and run of what has a result, as it is written. */
export type ResultName = [file: string, id: string, variant: string, run: number]

/** What must have a result: attempts at it are told apart, but only the last one counts. */
export function keyText(key: Key): string {
  return nameText([key.file, key.id, key.variant, key.run])
}

export function nameText(name: ResultName): string {
  return JSON.stringify(name)
}

export function nameFrom(text: string): ResultName {
  return JSON.parse(text) as ResultName
}

/** What script tests are played against: no agent, but what they call themselves. */
export const scriptVariant = 'scripts'
