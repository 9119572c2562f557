/** Options to parse data that is read once per run: a parser that Zod compiles takes longer to make than it saves. */
export const readOnce = { reportInput: true, jitless: true } as const
