/** Which snapshots `--update-snapshots` accepts. */
export const snapshotChoices = ['new', 'changed', 'all'] as const

export type SnapshotChoice = (typeof snapshotChoices)[number]
