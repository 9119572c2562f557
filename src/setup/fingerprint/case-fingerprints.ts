import { join } from 'node:path'
import type { KeptParts } from '../../analysis/history/fingerprint-parts.ts'
import { type CaseEntry, isScriptTest, suiteAgent } from '../../cases/entry.ts'
import { sortedJson } from '../../json/json.ts'
import type { SnapshotStore } from '../snapshots/snapshot-store.ts'
import { hashPart } from './hash-part.ts'
import { type AgentFingerprint, FingerprintParts } from './parts.ts'
import { type FingerprintedUse, fingerprintUse, type UseNeeds } from './use-parts.ts'

interface CaseFingerprintNeeds extends UseNeeds {
  /** Of the agents under test, by variant. */
  agents: ReadonlyMap<string, AgentFingerprint>
  /** Of what is the same for all cases: flags and settings. */
  run: AgentFingerprint
  snapshots: Pick<SnapshotStore, 'textsOf'>
  /** Workers play the cases, each in an environment of its own. */
  isElsewhere: boolean
  /** Everybody who is asked for a message may be the person at the terminal. */
  asksPerson: boolean
}

/** What decides the result of a case with one variant, besides the case as it is written. */
export type CaseFingerprint = SeenFingerprint | { unseen: string; names: readonly string[] }

export interface SeenFingerprint {
  hash: string
  /** Hashes by what a user would call each part. */
  parts: Readonly<Record<string, string>>
}

/**
 * The fingerprints of the cases of a run. Cases with the same agent that use the same things share one; what a case has for
 * itself (the files it sends, its snapshots) is added to it.
 */
export class CaseFingerprints {
  readonly #needs: CaseFingerprintNeeds
  readonly #shared = new Map<string, CaseFingerprint>()
  readonly #uses = new Map<string, AgentFingerprint>()
  /** What cases have for themselves, by the hash that it is part of. */
  readonly #own = new Map<string, { base: string; parts: Record<string, string> }>()

  constructor(needs: CaseFingerprintNeeds) {
    this.#needs = needs
  }

  of(entry: CaseEntry, variant: string): CaseFingerprint {
    const uses = listUses(entry)
    const shared = this.#sharedBy(uses, variant, this.#needs.asksPerson && entry.multiTurn === true)
    if ('unseen' in shared) return shared
    const own = this.#ownParts(entry, variant, uses)
    if (own === undefined) return shared
    const hash = hashPart(`${shared.hash} ${sortedJson(own)}`)
    this.#own.set(hash, { base: shared.hash, parts: own })
    return { hash, parts: { ...shared.parts, ...own } }
  }

  /** The hash alone, which is all that a result has. Undefined where viva cannot see everything. */
  hash(entry: CaseEntry, variant: string): string | undefined {
    const found = this.of(entry, variant)
    return 'hash' in found ? found.hash : undefined
  }

  /** What all fingerprints were made of. Undefined where a file was changed since then (in ms): what was loaded is not known. */
  madeOf(since: number): Iterable<KeptParts> | undefined {
    return this.#needs.surroundings.files?.changedSince(since) === undefined ? this.#listParts() : undefined
  }

  *#listParts(): Generator<KeptParts> {
    for (const found of this.#shared.values())
      if ('hash' in found) yield { fingerprint: found.hash, parts: found.parts }
    for (const [fingerprint, { base, parts }] of this.#own) yield { fingerprint, base, parts }
  }

  #sharedBy(uses: readonly FingerprintedUse[], variant: string, asksPerson: boolean): CaseFingerprint {
    const text = uses.length === 0 && !asksPerson ? variant : JSON.stringify([variant, asksPerson, uses])
    const known = this.#shared.get(text)
    if (known !== undefined) return known
    const made = this.#combine(asksPerson ? [...uses, { kind: 'person' as const }] : uses, variant)
    this.#shared.set(text, made)
    return made
  }

  #combine(uses: readonly FingerprintedUse[], variant: string): CaseFingerprint {
    const { run, agents, isElsewhere } = this.#needs
    const agent = agents.get(variant)
    const all: (readonly [owner: string, AgentFingerprint])[] = [
      ['the run', run],
      ...(agent === undefined ? [] : [[variant, agent] as const]),
      ...uses.map((use) => [use.name ?? use.kind, this.#use(use)] as const),
    ]
    const blind = all.find(([, { unseen }]) => unseen !== undefined)?.[1]
    if (blind?.unseen !== undefined) return { unseen: blind.unseen, names: blind.unseenNames ?? [] }
    const parts: Record<string, string> = {}
    for (const [owner, fingerprint] of all)
      for (const [name, hash] of Object.entries(fingerprint.parts))
        parts[(parts[name] ?? hash) === hash ? name : `${name} of ${owner}`] = hash
    const variable = isElsewhere ? Object.keys(parts).find((name) => isVariable.test(name)) : undefined
    if (variable !== undefined)
      return { unseen: `workers have their own ${variable.replace(isVariable, '')}`, names: [] }
    return { hash: hashPart(sortedJson(parts)), parts }
  }

  #use(use: FingerprintedUse): AgentFingerprint {
    const text = JSON.stringify(use)
    const known = this.#uses.get(text) ?? fingerprintUse(use, this.#needs)
    this.#uses.set(text, known)
    return known
  }

  /** Undefined for a case that has none. */
  #ownParts(
    entry: CaseEntry,
    variant: string,
    uses: readonly FingerprintedUse[],
  ): Record<string, string> | undefined {
    const hasSnapshots = uses.some(({ kind }) => kind === 'snapshot')
    if (entry.files === undefined && !hasSnapshots) return undefined
    const { surroundings, snapshots } = this.#needs
    const parts = new FingerprintParts(surroundings)
    for (const file of entry.files ?? []) parts.file(join(surroundings.project.root, file))
    if (hasSnapshots) parts.data(`snapshots of ${entry.file}`, snapshots.textsOf(entry, variant))
    return { ...parts.fingerprint().parts }
  }
}

const isVariable = /^environment variable /
const none: readonly FingerprintedUse[] = []

/** Script tests and suites are code themselves. */
function listUses(entry: CaseEntry): readonly FingerprintedUse[] {
  if (isScriptTest(entry) || suiteAgent(entry) !== undefined) return [{ kind: 'code', name: entry.file }]
  return entry.uses ?? none
}
