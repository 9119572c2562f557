import { agentsPhase } from './agents.ts'
import { appPhase } from './app.ts'
import { aroundRunPhase, beforeAllPhase } from './around-run.ts'
import { baselinePhase } from './baseline.ts'
import { personPhase, terminalPhase } from './front.ts'
import { helpersPhase, outsidePhase } from './helpers.ts'
import { chosenPhase, historyPhase } from './history.ts'
import { checkedPhase, loadedPhase } from './last-checks.ts'
import { journalPhase, outputsPhase } from './outputs.ts'
import { type OpenedBy, phases } from './phases.ts'
import { planPhase } from './plan.ts'
import { privacyPhase } from './privacy.ts'
import {
  type CommandStart,
  inputsPhase,
  locationPhase,
  type PlayStart,
  projectPhase,
  scriptHostPhase,
} from './project.ts'
import { reportersPhase } from './reporters.ts'
import { resumedPhase } from './resumed.ts'
import { secretsPhase } from './secrets.ts'
import { runningServicesPhase, servicesPhase } from './services/services.ts'
import { type AppSettings, settingsPhase } from './settings.ts'
import { casesPhase, listedSourcePhase, sourcePhase } from './source.ts'
import { type Variants, variantsPhase } from './variants.ts'

interface AppStart extends CommandStart {
  settings: AppSettings
  /** It reads no cases and tests no agent. */
  inputs: readonly never[]
  variants: Variants
}

/** `viva agents`, `viva judge check`: a project with its models, servers and agents. */
export const appSetup = phases<AppStart>()
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)
  .with(secretsPhase)
  .with(appPhase)
  .with(helpersPhase)

/** What every command that plays cases begins with. */
export const commandSetup = phases<PlayStart>()
  .with(inputsPhase)
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)
  .with(settingsPhase)
  .with(secretsPhase)

/** `viva test --list`: no agent is opened. */
export const listSetup = commandSetup
  .with(listedSourcePhase)
  .with({ name: 'outputs', open: () => ({ stdoutTaken: false }) })
  .with(terminalPhase)

/** `viva test`: all that can be wrong before a case is read is found here. `--dry-run` needs no more. */
export const testSetup = commandSetup
  .with(appPhase)
  .with(variantsPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with(personPhase)
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
  .with(historyPhase)
  .with(casesPhase)
  .with(agentsPhase)
  .with(checkedPhase)
  .with(runningServicesPhase)
  .with(loadedPhase)
  .with(beforeAllPhase)
  .with(planPhase)
  .with(journalPhase)
  .with(reportersPhase)
