/** Apart from what they do: `--help` needs their names only. */
export const orders = ['failed-first', 'slow-first', 'random'] as const
export type Order = (typeof orders)[number]
