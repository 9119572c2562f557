/** In a file of its own, because `--help` needs only the names. */
export const orders = ['failed-first', 'slow-first', 'random'] as const
export type Order = (typeof orders)[number]
