import type { DetectedInput } from '../../cases/sources/detect.ts'
import { listCaseFiles } from '../../cases/sources/folder.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Project } from '../../project/project.ts'
import { CodeReader } from '../fingerprint/code.ts'
import { type AgentFingerprint, FingerprintParts } from '../fingerprint/parts.ts'

interface RunFingerprintNeeds {
  inputs: readonly DetectedInput[]
  project: Project
  secrets: { redact(): Redactor }
  fingerprints: ReadonlyMap<string, AgentFingerprint>
}

/** Hashes of all that decides how the cases of a run are played: equal where they are played alike. */
export function fingerprintRun({
  inputs,
  project,
  secrets,
  fingerprints,
}: RunFingerprintNeeds): Record<string, string> {
  const parts = new FingerprintParts({ project, redact: secrets.redact(), named: new Map() })
  const code = new CodeReader()
  for (const path of listInputFiles(inputs)) {
    if (/\.[cm]?[jt]s$/.test(path)) code.read(path, parts)
    else parts.file(path)
  }
  if (project.configFile !== undefined) parts.file(project.configFile)
  const all: Record<string, string> = { ...parts.fingerprint().parts }
  for (const [variant, fingerprint] of fingerprints)
    for (const [name, hash] of Object.entries(fingerprint.parts))
      all[(all[name] ?? hash) === hash ? name : `${name} of ${variant}`] = hash
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isOfMachine.test(name)))
}

/** Every machine has an environment of its own, and installs packages in its own way. */
const isOfMachine = /^environment variable |^version of Node\.js$|(?:^|\/)node_modules\/\./

function listInputFiles(inputs: readonly DetectedInput[]): string[] {
  return inputs.flatMap((input) => {
    if (input.kind === 'folder') return listCaseFiles(input.path)
    return 'path' in input && input.kind !== 'given' ? [input.path] : []
  })
}

const mostShown = 3

/** What is not the same here as where the run was started, in words; undefined if all is. */
export function describeOtherProject(
  offered: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): string | undefined {
  const names = [...new Set([...Object.keys(offered), ...Object.keys(own)])].sort()
  const different = names.flatMap((name) => {
    if (own[name] === undefined) return `${name} is missing here`
    if (offered[name] === undefined) return `${name} is only here`
    return offered[name] === own[name] ? [] : `${name} is different here`
  })
  if (different.length === 0) return undefined
  const shown = different.slice(0, mostShown).join(', ')
  return different.length > mostShown ? `${shown}, and ${different.length - mostShown} more` : shown
}
