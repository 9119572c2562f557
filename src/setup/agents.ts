import type { Agent } from '../agents/agent.ts'
import { Audit } from '../analysis/audit/audit.ts'
import { findAuditable } from '../analysis/audit/auditable.ts'
import { createCast } from '../analysis/audit/cast.ts'
import { collect } from '../cases/collect.ts'
import type { CaseEntry } from '../cases/entry.ts'
import { select } from '../cases/select.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import type { Settings } from './settings.ts'
import type { Source } from './source.ts'
import type { Variants } from './variants.ts'

/** The agents that the cases are played against, by variant. */
export type PlayedAgents = ReadonlyMap<string, Agent>

export const agentsPhase = {
  name: 'agents',
  open: ({ variants }: { variants: Variants }): PlayedAgents =>
    new Map([...variants].map(([variant, { agent }]) => [variant, agent])),
} as const

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

export const auditCasesPhase = {
  name: 'cases',
  open: ({ audited }: { audited: OpenAudit }) => audited.cases,
} as const

export const auditAgentsPhase = {
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
