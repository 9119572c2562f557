/** The environment variables of a run: those of the process, and what `.env` files add to them. */
export type Environment = Readonly<Record<string, string | undefined>>
