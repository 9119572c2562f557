import type { CaseEntry } from '../../cases/entry.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { isCi } from '../../system/environment.ts'
import type { CommandStart } from '../command-start.ts'
import { SnapshotStore, type SnapshotUpdates } from '../snapshots/snapshot-store.ts'
import type { Chosen } from './chosen.ts'
import { isPrivate } from './privacy.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

interface SnapshotsNeeds extends CommandStart {
  settings: Settings
  project: Project
  secrets: Secrets
}

/** Snapshots are written when the run has ended, also after an error. */
export const snapshotsPhase = {
  name: 'snapshots',
  open: ({ settings, project, secrets, shell }: SnapshotsNeeds) =>
    new SnapshotStore(project, allowedUpdates(settings, isCi(shell.env)), secrets.redact),
  close: (store: SnapshotStore) => store.close(),
} as const

/** For agents that must not pass, and for recorded conversations: they are compared, and nothing is written. */
export const unwrittenSnapshotsPhase = {
  name: 'snapshots',
  open: ({ project, secrets, settings }: Pick<SnapshotsNeeds, 'project' | 'secrets' | 'settings'>) => {
    const updates = { missing: false, changed: false, unused: false }
    const whyNot = settings.graded && 'viva test writes it'
    return new SnapshotStore(project, { ...updates, ...defined({ whyNot }) }, secrets.redact)
  },
} as const

interface ReadSnapshotsNeeds {
  snapshots: SnapshotStore
  cases: Iterable<CaseEntry>
  chosen: Chosen
  carried: object | undefined
}

/** A damaged file is found before anything is run. */
export const readSnapshotsPhase = {
  name: 'readSnapshots',
  open({ snapshots, cases, chosen: { selection, shard }, carried }: ReadSnapshotsNeeds): void {
    const { run, tags, narrow } = selection
    const isWhole =
      run === undefined && tags.length === 0 && [narrow, shard, carried].every((each) => each === undefined)
    snapshots.read(cases, isWhole)
  },
} as const

/** The same where nothing is written, so that it does not matter which cases are left out. */
export const snapshotFilesPhase = {
  name: 'snapshotFiles',
  open: ({ snapshots, cases }: Pick<ReadSnapshotsNeeds, 'snapshots' | 'cases'>): void =>
    snapshots.read(cases, false),
} as const

function allowedUpdates(settings: Settings, isCi: boolean): SnapshotUpdates {
  const { updateSnapshots: choice } = settings
  const whyNot = isPrivate(settings)
    ? 'it is not written, because conversations are not recorded'
    : choice !== undefined
      ? undefined
      : isCi
        ? 'run the case outside of CI to write it, and commit the file'
        : settings.selection.requireChecks
          ? 'run it without --require-checks to write it'
          : undefined
  if (whyNot !== undefined) return { missing: false, changed: false, unused: false, whyNot }
  return {
    missing: choice !== 'changed',
    changed: choice === 'changed' || choice === 'all',
    unused: choice === 'all',
  }
}
