import type { BranchedCase } from '../cases/branched-case.ts'
import { collect } from '../cases/collect.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import type { Person } from '../conversation/person.ts'
import { ConfigError } from '../errors.ts'
import type { Project } from '../project/project.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { CaseResult } from '../results/result.ts'
import { maskedText } from '../text/masked.ts'
import {
  type BranchStart,
  branchedResultPhase,
  type Recorded,
  recordedInputsPhase,
  withRecordedAgent,
} from './branch/recorded.ts'
import { type CaseTarget, checkCaseTarget } from './branch/saved-case.ts'
import { type OpenedBy, phases } from './phase.ts'
import { agentsPhase } from './phases/agents.ts'
import { type App, appPhase } from './phases/app.ts'
import { aroundRunPhase } from './phases/around-run.ts'
import { baselinePhase } from './phases/baseline.ts'
import { beforeAllPhase } from './phases/before-all.ts'
import { checkedPhase } from './phases/checked.ts'
import { helpersPhase } from './phases/helpers.ts'
import { journalPhase } from './phases/journal.ts'
import { loadedPhase } from './phases/loaded.ts'
import { locationPhase } from './phases/location.ts'
import { branchOutputsPhase } from './phases/outputs.ts'
import { outsidePhase } from './phases/outside.ts'
import { personPhase } from './phases/person.ts'
import { planPhase } from './phases/plan.ts'
import { isPrivate, privacyPhase } from './phases/privacy.ts'
import { projectPhase } from './phases/project.ts'
import type { ReportersNeeds } from './phases/reporters.ts'
import { resumedPhase } from './phases/resumed.ts'
import { runningServicesPhase } from './phases/running-services.ts'
import { scriptHostPhase } from './phases/script-host.ts'
import { type Secrets, secretsPhase } from './phases/secrets.ts'
import { servicesPhase } from './phases/services.ts'
import { type Settings, settle } from './phases/settings.ts'
import { unwrittenSnapshotsPhase } from './phases/snapshots.ts'
import { type Source, sourcePhase } from './phases/source.ts'
import { terminalPhase } from './phases/terminal.ts'
import { combineLimits, type Variants, variantsPhase } from './phases/variants.ts'

/** A case that goes on with a recorded conversation. */
interface OpenBranch extends Pick<BranchedCase, 'write'> {
  /** Where it is saved. */
  target: CaseTarget | undefined
  /** What came of it, as reports have it; undefined until it was played. */
  result: CaseResult | undefined
}

interface BranchedNeeds extends BranchStart {
  recorded: Recorded
  settings: Settings
  secrets: Secrets
  project: Project
  app: App
  variants: Variants
  person: Person | undefined
}

/** What the agent makes of the branch. All that stands in its way is found before anything is said. */
const branchedPhase = {
  name: 'branched',
  async open(needs: BranchedNeeds): Promise<OpenBranch> {
    const { branch, recorded, settings, app, variants, person, warn } = needs
    if (settings.interactive && branch.says.length === 0 && person === undefined)
      throw new ConfigError({
        code: 'no_input',
        message: '--interactive: nobody can write the next message, because this is not a terminal',
        hint: 'give it with --say',
      })
    const limits = combineLimits([...variants.values()], app.sources.connectors)
    const { write, notes } = recorded.branch(limits)
    const redact = needs.secrets.redact()
    const text = JSON.stringify(write())
    const target = branch.save === undefined ? undefined : await openTarget(branch.save, needs)
    if (target !== undefined && redact(text) !== text)
      throw new ConfigError({
        code: 'secret_in_cases',
        message: `--save ${target.shown}: the case holds a secret`,
      })
    for (const note of [...notes, ...gapNotes(text)]) warn(redact(note))
    return { write, target, result: undefined }
  },
} as const

async function openTarget(save: string, { settings, shell, recorded }: BranchedNeeds): Promise<CaseTarget> {
  if (isPrivate(settings))
    throw new ConfigError({
      code: 'bad_flag',
      message: `--save ${save}: private data is not recorded here, and the case would hold it`,
      hint: 'it is --no-transcripts, --mask, or `transcripts` or `masks` of the config',
    })
  return checkCaseTarget(save, shell.cwd, [recorded.path, ...settings.outputs])
}

function gapNotes(text: string): string[] {
  const gaps = [maskedText, '[redacted]'].filter((gap) => text.includes(gap))
  return gaps.length === 0
    ? []
    : [
        `parts of the recorded conversation are hidden: the agent is sent ${gaps.join(' and ')} in their place`,
      ]
}

/** `viva branch`: the phases of `viva test` for the one case that is made of a result. */
export const branchSetup = phases<BranchStart>()
  .with({ name: 'named', open: (): DetectedInput[] => [] })
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)
  .with(branchedResultPhase)
  .with(recordedInputsPhase)
  .with({
    name: 'settings',
    open: ({ request, recorded, project }): Settings =>
      settle(withRecordedAgent(request, recorded, project), project.config),
  })
  .with(secretsPhase)
  .with(appPhase)
  .with(variantsPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with(personPhase)
  .with(branchedPhase)
  .with(unwrittenSnapshotsPhase)
  .with(sourcePhase)
  .with(branchOutputsPhase)
  .with(baselinePhase)
  .with(terminalPhase)

const branchReportersPhase = {
  name: 'reporters',
  open: ({ terminal, outputs, journal, branched }: ReportersNeeds & { branched: OpenBranch }): Reporter[] => [
    ...terminal.reporters,
    ...outputs.reporters(journal),
    {
      name: 'branch',
      events: ['case_finished'],
      on(event) {
        if (event.type === 'case_finished') branched.result = event.result
      },
    },
  ],
} as const

/** It is not in the history: a branch is another case than the one in its file. */
export const branchRunSetup = phases<OpenedBy<typeof branchSetup>>()
  .with(privacyPhase)
  .with(servicesPhase)
  .with(aroundRunPhase)
  .with(resumedPhase)
  .with({ name: 'cases', open: ({ source }: { source: Source }) => collect(source.cases) })
  .with(agentsPhase)
  .with(checkedPhase)
  .with(runningServicesPhase)
  .with(loadedPhase)
  .with(beforeAllPhase)
  .with(planPhase)
  .with(journalPhase)
  .with(branchReportersPhase)
