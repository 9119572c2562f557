import type { DetectedInput } from '../../cases/sources/detect.ts'
import { inputFolder } from '../../cases/sources/open.ts'
import type { Person } from '../../conversation/person.ts'
import { relativePath } from '../../system/relative-path.ts'
import { CaseFingerprints } from '../fingerprint/case-fingerprints.ts'
import { CodeReader } from '../fingerprint/code.ts'
import {
  addFlags,
  addProcessSettings,
  addSettings,
  fingerprintAgents,
} from '../fingerprint/fingerprint-agents.ts'
import { FingerprintedFiles } from '../fingerprint/fingerprinted-files.ts'
import { findNamedFiles } from '../fingerprint/named-files.ts'
import { type AgentFingerprint, FingerprintParts } from '../fingerprint/parts.ts'
import { fingerprintUse, type UseNeeds } from '../fingerprint/use-parts.ts'
import type { OutsideWork } from '../outside-cases.ts'
import type { SnapshotStore } from '../snapshots/snapshot-store.ts'
import type { App } from './app.ts'
import type { TestHelpers } from './helpers.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface CaseFingerprintsNeeds {
  variants: Variants
  app: App
  settings: Settings
  outside: OutsideWork
  secrets: Secrets
  helpers: TestHelpers
  snapshots: SnapshotStore
  inputs: readonly DetectedInput[]
  person: Person | undefined
}

/** Before anything is played: what it is played with is as it is now. Undefined where no pass could be carried over. */
export const caseFingerprintsPhase = { name: 'fingerprints', open: openFingerprints } as const

function openFingerprints(needs: CaseFingerprintsNeeds): CaseFingerprints | undefined {
  const { variants, app, settings, outside, secrets, helpers, snapshots, inputs, person } = needs
  if (settings.origin !== undefined || !inputs.some(isInFiles)) return undefined
  const { sources } = app
  const { project, connectors } = sources
  const code = new CodeReader()
  const surroundings = {
    project,
    redact: secrets.redact(),
    named: findNamedFiles(project, connectors.ids()),
    files: new FingerprintedFiles(),
  }
  const useNeeds: UseNeeds = {
    sources,
    helpers,
    surroundings,
    code,
    toolModules: [...new Set([...variants.values()].flatMap(({ toolModules = [] }) => toolModules))],
    isPersonThere: person !== undefined,
  }
  return new CaseFingerprints({
    ...useNeeds,
    agents: fingerprintAgents({
      variants,
      sources,
      settings,
      identity: outside.identity,
      surroundings,
      code,
    }),
    run: fingerprintRunSettings(needs, useNeeds),
    snapshots,
    isElsewhere: settings.queue !== undefined,
    asksPerson: settings.interactive && person !== undefined,
  })
}

/** Cases that are in no file are not in the history. */
function isInFiles({ kind }: DetectedInput): boolean {
  return kind === 'cases' || kind === 'folder' || kind === 'tests' || kind === 'suite'
}

/** What is the same for all cases of a run. */
function fingerprintRunSettings(
  { settings, outside, inputs, app }: CaseFingerprintsNeeds,
  useNeeds: UseNeeds,
): AgentFingerprint {
  const { project } = app.sources
  const { timeoutMs, testTimeoutMs, onMissingInput, selection, skipInteractive, beforeAll } = settings
  const parts = new FingerprintParts(useNeeds.surroundings)
  addFlags(parts, settings, outside.identity)
  addSettings(parts, project)
  addProcessSettings(parts, project)
  parts.data('--timeout', { timeoutMs, testTimeoutMs })
  if (onMissingInput !== undefined) parts.data('--on-missing-input', onMissingInput)
  if (selection.requireChecks) parts.data('--require-checks', true)
  if (skipInteractive) parts.data('--skip-interactive', true)
  const own = parts.fingerprint()
  if (beforeAll === undefined) return own
  const folder = relativePath(project.root, inputFolder(inputs, project.cwd))
  const script = fingerprintUse({ kind: 'script', name: beforeAll, folder }, useNeeds)
  return { ...script, parts: { ...own.parts, ...script.parts } }
}
