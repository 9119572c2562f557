import { type CaseEntry, isScriptTest } from '../../cases/entry.ts'
import type { Project } from '../../project/project.ts'
import type { CommandStart } from '../command-start.ts'
import { SnapshotStore, type SnapshotUpdates } from '../snapshots/snapshot-store.ts'
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
    new SnapshotStore(project, allowedUpdates(settings, Boolean(shell.env.CI)), secrets.redact),
  close: (store: SnapshotStore) => store.save(),
} as const

/** For agents that must not pass: they are compared, and nothing is written. */
export const unwrittenSnapshotsPhase = {
  name: 'snapshots',
  open: ({ project, secrets }: Pick<SnapshotsNeeds, 'project' | 'secrets'>) =>
    new SnapshotStore(project, { missing: false, changed: false, obsolete: false }, secrets.redact),
} as const

/** A damaged file is found before anything is run. */
export const readSnapshotsPhase = {
  name: 'readSnapshots',
  open({ snapshots, cases }: { snapshots: SnapshotStore; cases: Iterable<CaseEntry> }): void {
    const files = new Set<string>()
    for (const entry of cases) if (!isScriptTest(entry)) files.add(entry.file)
    snapshots.read(files)
  },
} as const

function allowedUpdates(settings: Settings, isCi: boolean): SnapshotUpdates {
  const { updateSnapshots: choice } = settings
  const whyNot = isPrivate(settings)
    ? 'it is not written, because conversations are not recorded'
    : isCi && choice === undefined
      ? 'run the case outside of CI to write it, and commit the file'
      : undefined
  if (whyNot !== undefined) return { missing: false, changed: false, obsolete: false, whyNot }
  return {
    missing: choice !== 'changed',
    changed: choice === 'changed' || choice === 'all',
    obsolete: choice === 'all',
  }
}
