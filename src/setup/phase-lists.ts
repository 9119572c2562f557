import type { CommandStart, PlayStart } from './command-start.ts'
import { type OpenedBy, phases } from './phase.ts'
import { agentsPhase } from './phases/agents.ts'
import { appPhase } from './phases/app.ts'
import { aroundRunPhase } from './phases/around-run.ts'
import { baselinePhase } from './phases/baseline.ts'
import { beforeAllPhase } from './phases/before-all.ts'
import { carriedPhase } from './phases/carried.ts'
import { caseFingerprintsPhase } from './phases/case-fingerprints.ts'
import { selectedCasesPhase, selectedPhase } from './phases/cases.ts'
import { checkedPhase } from './phases/checked.ts'
import { chosenPhase } from './phases/chosen.ts'
import { helpersPhase } from './phases/helpers.ts'
import { historyPhase } from './phases/history.ts'
import { inputsPhase, namedInputsPhase } from './phases/inputs.ts'
import { journalPhase } from './phases/journal.ts'
import { listedSourcePhase } from './phases/listed-source.ts'
import { liveLayersPhase } from './phases/live-layers.ts'
import { loadedPhase } from './phases/loaded.ts'
import { locationPhase } from './phases/location.ts'
import { outputsPhase } from './phases/outputs.ts'
import { outsidePhase } from './phases/outside.ts'
import { personPhase } from './phases/person.ts'
import { planPhase } from './phases/plan.ts'
import { privacyPhase } from './phases/privacy.ts'
import { projectPhase } from './phases/project.ts'
import { queueConnectionPhase, queuePhase } from './phases/queue.ts'
import {
  checkedRecordingPhase,
  recorderPhase,
  recordingPhase,
  writableRecordingPhase,
} from './phases/recording.ts'
import { reportersPhase } from './phases/reporters.ts'
import { resumedPhase } from './phases/resumed.ts'
import { runningServicesPhase } from './phases/running-services.ts'
import { scriptHostPhase } from './phases/script-host.ts'
import { secretsPhase } from './phases/secrets.ts'
import { servicesPhase } from './phases/services.ts'
import { type AppSettings, settingsPhase } from './phases/settings.ts'
import { readSnapshotsPhase, snapshotsPhase } from './phases/snapshots.ts'
import { sourcePhase } from './phases/source.ts'
import { terminalPhase } from './phases/terminal.ts'
import { type Variants, variantsPhase } from './phases/variants.ts'

export interface AppStart extends CommandStart {
  settings: AppSettings
  /** It reads no cases and tests no agent. */
  named: readonly never[]
  inputs: readonly never[]
  variants: Variants
}

/** `viva doctor`: where the project is, and its config. */
export const projectSetup = phases<AppStart>().with(locationPhase).with(scriptHostPhase).with(projectPhase)

/** `viva doctor`: the models, servers and agents of a project that is open. */
export const projectAppSetup = phases<OpenedBy<typeof projectSetup>>().with(secretsPhase).with(appPhase)

/** `viva agents`, `viva judge check`: a project with its models, servers and agents. */
export const appSetup = projectSetup.with(secretsPhase).with(appPhase).with(helpersPhase)

/** What every command that plays cases begins with. */
export const commandSetup = phases<PlayStart>()
  .with(namedInputsPhase)
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)
  .with(inputsPhase)
  .with(settingsPhase)
  .with(secretsPhase)

/** `viva recording prune`: the cases alone. No agent is opened. */
export const casesSetup = commandSetup.with(listedSourcePhase)

/** `viva test --list`: no agent is opened. */
export const listSetup = casesSetup
  .with({ name: 'outputs', open: () => ({ stdoutTaken: false }) })
  .with(terminalPhase)

/** `viva test`: all that can be wrong before a case is read is found here. `--dry-run` needs no more. */
export const testSetup = commandSetup
  // Files of agents that are changed later may have been read before.
  .with({ name: 'startedAt', open: () => Date.now() })
  .with(queueConnectionPhase)
  .with(recordingPhase)
  .with(appPhase)
  .with(variantsPhase)
  .with(liveLayersPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with(personPhase)
  .with(snapshotsPhase)
  .with(sourcePhase)
  .with(outputsPhase)
  .with(baselinePhase)
  .with(terminalPhase)

/** From a command that is set up to a run that is ready to be played. */
export const testRunSetup = phases<OpenedBy<typeof testSetup>>()
  .with(privacyPhase)
  .with(servicesPhase)
  .with(aroundRunPhase)
  .with(resumedPhase)
  .with(chosenPhase)
  .with(caseFingerprintsPhase)
  .with(historyPhase)
  .with(selectedPhase)
  .with(carriedPhase)
  .with(selectedCasesPhase)
  .with(readSnapshotsPhase)
  .with(agentsPhase)
  .with(checkedPhase)
  .with(writableRecordingPhase)
  .with(runningServicesPhase)
  .with(loadedPhase)
  .with(beforeAllPhase)
  .with(planPhase)
  .with(checkedRecordingPhase)
  .with(recorderPhase)
  .with(journalPhase)
  .with(queuePhase)
  .with(reportersPhase)
