/** The environment variables of a run: those of the process, and what `.env` files add to them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Whether the run is part of a CI job: most systems set `CI`. */
export function isCi({ CI }: Environment): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false'
}
