import { Audit } from '../analysis/audit/audit.ts'
import { findAuditable } from '../analysis/audit/auditable.ts'
import { type AuditedSuites, createCast } from '../analysis/audit/cast.ts'
import { auditReporter } from '../analysis/audit/reporter.ts'
import type { CaseList } from '../cases/case-list.ts'
import { collect } from '../cases/collect.ts'
import { suiteAgent } from '../cases/entry.ts'
import { select } from '../cases/select.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { type OpenedBy, phases } from './phase.ts'
import { commandSetup } from './phase-lists.ts'
import type { PlayedAgents } from './phases/agents.ts'
import { appPhase } from './phases/app.ts'
import { aroundRunPhase } from './phases/around-run.ts'
import { baselinePhase } from './phases/baseline.ts'
import { beforeAllPhase } from './phases/before-all.ts'
import { checkedPhase } from './phases/checked.ts'
import { helpersPhase } from './phases/helpers.ts'
import { journalPhase } from './phases/journal.ts'
import { loadedPhase } from './phases/loaded.ts'
import { auditOutputsPhase } from './phases/outputs.ts'
import { outsidePhase } from './phases/outside.ts'
import { planPhase } from './phases/plan.ts'
import { privacyPhase } from './phases/privacy.ts'
import type { ReportersNeeds } from './phases/reporters.ts'
import { resumedPhase } from './phases/resumed.ts'
import { runningServicesPhase } from './phases/running-services.ts'
import { servicesPhase } from './phases/services.ts'
import type { Settings } from './phases/settings.ts'
import { snapshotFilesPhase, unwrittenSnapshotsPhase } from './phases/snapshots.ts'
import { type Source, sourcePhase } from './phases/source.ts'
import { terminalPhase } from './phases/terminal.ts'
import { type Variants, variantsIfFoundPhase } from './phases/variants.ts'

interface AuditNeeds {
  variants: Variants
  source: Source
  settings: Settings
  inputs: readonly DetectedInput[]
}

interface OpenAudit {
  audit: Audit
  cases: CaseList
  agents: PlayedAgents
}

/** The cases that an audit is about, and the agents that must not pass them. */
export const auditPhase = {
  name: 'audited',
  async open({ variants, source, settings, inputs }: AuditNeeds): Promise<OpenAudit> {
    refuseMessages(inputs)
    const selected = select(await collect(source.cases), settings.selection)
    const cast = createCast(variants, findSuites(selected))
    const kept = await findAuditable(selected, source.cases, cast.suiteVariants)
    return { audit: new Audit(cast, kept), cases: kept.entries, agents: cast.agents }
  },
} as const

function findSuites(selected: CaseList): AuditedSuites {
  const agents = new Set<string>()
  let only = true
  for (const entry of selected) {
    const agent = suiteAgent(entry)
    if (agent === undefined) only = false
    else agents.add(agent)
  }
  return { agents, only }
}

const auditCasesPhase = {
  name: 'cases',
  open: ({ audited }: { audited: OpenAudit }) => audited.cases,
} as const

const auditAgentsPhase = {
  name: 'agents',
  open: ({ audited }: { audited: OpenAudit }) => audited.agents,
} as const

function refuseMessages(inputs: readonly DetectedInput[]): void {
  if (inputs.every(({ kind }) => kind !== 'message')) return
  throw new ConfigError({
    code: 'bad_input',
    message: 'a message checks nothing, so it cannot be audited',
    hint: 'give a case file or a folder',
  })
}

const auditReportersPhase = {
  name: 'reporters',
  open({ terminal, outputs, journal, audited, settings }: ReportersNeeds & AuditReporting): Reporter[] {
    const { screen, pen, printJson } = terminal
    const json = settings.json && { writeJson: printJson }
    return [
      auditReporter(audited.audit, { screen, pen, verbose: settings.verbose, ...json }),
      // A workflow takes every failure for one to mend, and here failures are what is wanted.
      ...outputs.reporters(journal).filter(({ name }) => name !== 'github'),
    ]
  },
} as const

interface AuditReporting {
  audited: OpenAudit
  settings: Settings
}

/** `viva audit`: the phases of `viva test` without a person; an agent is optional. */
export const auditSetup = commandSetup
  .with(appPhase)
  .with(variantsIfFoundPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with({ name: 'person', open: () => undefined })
  .with(unwrittenSnapshotsPhase)
  .with(sourcePhase)
  .with(auditOutputsPhase)
  .with(baselinePhase)
  .with(terminalPhase)

/** The same against agents that must not pass. */
export const auditRunSetup = phases<OpenedBy<typeof auditSetup>>()
  .with(privacyPhase)
  .with(servicesPhase)
  .with(aroundRunPhase)
  .with(resumedPhase)
  .with(auditPhase)
  .with(auditCasesPhase)
  .with(snapshotFilesPhase)
  .with(auditAgentsPhase)
  .with(checkedPhase)
  .with(runningServicesPhase)
  .with(loadedPhase)
  .with(beforeAllPhase)
  .with(planPhase)
  .with(journalPhase)
  .with(auditReportersPhase)
