/** The kinds of parts that can be left out, in the order in which they are tried. */
export const reductionNames = ['turns', 'sentences', 'words', 'history', 'stubs'] as const
export type ReductionName = (typeof reductionNames)[number]
