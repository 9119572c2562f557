import { Audit } from '../analysis/audit/audit.ts'
import { findAuditable } from '../analysis/audit/auditable.ts'
import { createCast } from '../analysis/audit/cast.ts'
import { auditReporter } from '../analysis/audit/reporter.ts'
import { collect } from '../cases/collect.ts'
import type { CaseEntry } from '../cases/entry.ts'
import { select } from '../cases/select.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { PlayedAgents } from './agents.ts'
import { appPhase } from './app.ts'
import { aroundRunPhase, beforeAllPhase } from './around-run.ts'
import { baselinePhase } from './baseline.ts'
import { terminalPhase } from './front.ts'
import { helpersPhase, outsidePhase } from './helpers.ts'
import { checkedPhase, loadedPhase } from './last-checks.ts'
import { auditOutputsPhase, journalPhase } from './outputs.ts'
import { commandSetup } from './phase-lists.ts'
import { type OpenedBy, phases } from './phases.ts'
import { planPhase } from './plan.ts'
import { privacyPhase } from './privacy.ts'
import type { ReportersNeeds } from './reporters.ts'
import { resumedPhase } from './resumed.ts'
import { runningServicesPhase, servicesPhase } from './services/services.ts'
import type { Settings } from './settings.ts'
import { type Source, sourcePhase } from './source.ts'
import { type Variants, variantsIfFoundPhase } from './variants.ts'

interface AuditNeeds {
  variants: Variants
  source: Source
  settings: Settings
  inputs: readonly DetectedInput[]
}

interface OpenAudit {
  audit: Audit
  cases: CaseEntry[]
  agents: PlayedAgents
}

/** The cases that an audit is about, and the agents that must not pass them. */
export const auditPhase = {
  name: 'audited',
  async open({ variants, source, settings, inputs }: AuditNeeds): Promise<OpenAudit> {
    refuseMessages(inputs)
    const cast = createCast(variants)
    const selected = select(await collect(source.cases), settings.selection)
    const kept = await findAuditable(selected, source.cases)
    return { audit: new Audit(cast, kept), cases: kept.entries, agents: cast.agents }
  },
} as const

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
  .with(auditAgentsPhase)
  .with(checkedPhase)
  .with(runningServicesPhase)
  .with(loadedPhase)
  .with(beforeAllPhase)
  .with(planPhase)
  .with(journalPhase)
  .with(auditReportersPhase)
