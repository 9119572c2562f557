import { fingerprintAgents } from '../fingerprint/fingerprint-agents.ts'
import { findNamedFiles } from '../fingerprint/named-files.ts'
import type { AgentFingerprint } from '../fingerprint/parts.ts'
import type { OutsideWork } from '../outside-cases.ts'
import type { App } from './app.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface FingerprintsNeeds {
  variants: Variants
  app: App
  settings: Settings
  outside: OutsideWork
  secrets: Secrets
}

export const fingerprintsPhase = {
  name: 'fingerprints',
  open({
    variants,
    app,
    settings,
    outside,
    secrets,
  }: FingerprintsNeeds): ReadonlyMap<string, AgentFingerprint> {
    const { project, connectors } = app.sources
    const surroundings = {
      project,
      redact: secrets.redact(),
      named: findNamedFiles(project, connectors.ids()),
    }
    return fingerprintAgents({
      variants,
      sources: app.sources,
      settings,
      identity: outside.identity,
      surroundings,
    })
  },
} as const
