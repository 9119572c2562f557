import { InfrastructureError } from '../errors.ts'
import { redactKey } from '../privacy/redact.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { SavedResults } from '../results/saved-results.ts'
import type { RunOrigin } from '../results/summary.ts'
import type { SavedConversations } from '../run/stage.ts'
import { type OpenedBy, phases } from './phase.ts'
import { commandSetup } from './phase-lists.ts'
import { agentsPhase } from './phases/agents.ts'
import { appPhase } from './phases/app.ts'
import type { Prepared } from './phases/around-run.ts'
import { checkedPhase } from './phases/checked.ts'
import { gradedCasesPhase } from './phases/graded-cases.ts'
import { gradedPlanPhase } from './phases/graded-plan.ts'
import { helpersPhase } from './phases/helpers.ts'
import { journalPhase } from './phases/journal.ts'
import { judgesLoadedPhase } from './phases/loaded.ts'
import { gradeOutputsPhase } from './phases/outputs.ts'
import { outsidePhase } from './phases/outside.ts'
import { privacyPhase } from './phases/privacy.ts'
import { recordedPhase, recordedRunsPhase, recordedVariantsPhase } from './phases/recorded.ts'
import type { ReportersNeeds } from './phases/reporters.ts'
import { resumedPhase } from './phases/resumed.ts'
import type { Secrets } from './phases/secrets.ts'
import type { Services } from './phases/services.ts'
import type { Settings } from './phases/settings.ts'
import { snapshotFilesPhase, unwrittenSnapshotsPhase } from './phases/snapshots.ts'
import { sourcePhase } from './phases/source.ts'
import { terminalPhase } from './phases/terminal.ts'

/** What makes a run one of recorded conversations. */
export interface Grading {
  origin: RunOrigin
  conversations: SavedConversations
}

interface GradingNeeds {
  settings: Settings
  recorded: SavedResults
  secrets: Secrets
}

const gradingPhase = {
  name: 'grading',
  open: ({ settings: { graded = '' }, recorded, secrets }: GradingNeeds): Grading => ({
    origin: { kind: 'graded', from: secrets.redact()(graded) },
    conversations: {
      async find(key) {
        const result = await recorded.find(redactKey(key, secrets.redact()))
        if (result !== undefined) return result
        throw new InfrastructureError('input_changed', `${graded} has no result of ${key.id} any more`)
      },
    },
  }),
} as const

/** Recorded conversations need none. */
export const noServices: Services = {
  start: async () => {},
  beforeCase: async () => {},
  stop: async () => {},
  troubles: async () => [],
  oneAtATime: false,
  secrets: [],
}

const nothingPrepared: Prepared = { variables: {}, after: async () => undefined }

const gradeReportersPhase = {
  name: 'reporters',
  open: ({ terminal, outputs, journal }: ReportersNeeds): Reporter[] => [
    ...terminal.reporters,
    ...outputs.reporters(journal),
  ],
} as const

/** `viva grade`: the phases of `viva test`, without an agent, services and scripts around the run. */
export const gradeSetup = commandSetup
  .with(recordedPhase)
  .with(recordedRunsPhase)
  .with(appPhase)
  .with(recordedVariantsPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with({ name: 'person', open: () => undefined })
  .with(unwrittenSnapshotsPhase)
  .with(sourcePhase)
  .with(gradeOutputsPhase)
  .with({ name: 'baseline', open: () => undefined })
  .with(terminalPhase)

/** From recorded results and their cases to a run that grades them. */
export const gradeRunSetup = phases<OpenedBy<typeof gradeSetup>>()
  .with(privacyPhase)
  .with({ name: 'services', open: () => noServices })
  .with(resumedPhase)
  .with(gradedCasesPhase)
  .with(snapshotFilesPhase)
  .with(agentsPhase)
  .with(checkedPhase)
  .with({ name: 'runningServices', open: () => noServices })
  .with(judgesLoadedPhase)
  .with({ name: 'beforeAll', open: () => nothingPrepared })
  .with(gradedPlanPhase)
  .with(gradingPhase)
  .with(journalPhase)
  .with(gradeReportersPhase)
