/** Reserved types that are not implemented: they are refused by name, never ignored. */
export const notYetTypes = [
  { type: 'snapshot', about: 'The output is the same as when the snapshot was taken.' },
] as const
