import { sortedJson } from '../../json/json.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { looksSecret } from '../../privacy/secret-variables.ts'
import type { Project } from '../../project/project.ts'
import { realPath } from '../../scripts/compile/imports.ts'
import { relativePath } from '../../system/relative-path.ts'
import { FingerprintedFiles } from './fingerprinted-files.ts'
import { hashPart } from './hash-part.ts'
import { listVariables } from './variables.ts'
import { withoutKeys } from './without-keys.ts'

/** What decides how something answers or is judged, and why viva cannot see all of it. */
export interface AgentFingerprint {
  /**
   * Hashes by what a user would call each part: `prompts.yml`, `agent.ts`, `connector gpt`. Paths are relative to the
   * project, with `/`, so that they are equal on two machines.
   */
  parts: Readonly<Record<string, string>>
  /** Why viva cannot see all of it, one sentence for each reason; undefined if it sees everything. */
  unseen?: string
  /** The names under `fingerprint` in the config that would make up for it. */
  unseenNames?: readonly string[]
}

/** What all fingerprints of a run are made from. */
export interface FingerprintSurroundings {
  project: Pick<Project, 'root' | 'env' | 'config'>
  redact: Redactor
  /** The files that the config names for what viva cannot see, by agent or connector. */
  named: ReadonlyMap<string, readonly string[]>
  /** Shared by all fingerprints of a run, so that each file is read once. */
  files?: FingerprintedFiles
}

/** Collects the parts of one fingerprint. Secrets are left out: a short one could be guessed from its hash. */
export class FingerprintParts {
  readonly #around: FingerprintSurroundings
  readonly #files: FingerprintedFiles
  readonly #parts = new Map<string, string>()
  readonly #unseen = new Map<string, string>()

  constructor(around: FingerprintSurroundings) {
    this.#around = around
    this.#files = around.files ?? new FingerprintedFiles()
  }

  /** As it is called in messages. */
  nameOf(path: string): string {
    return relativePath(realPath(this.#around.project.root), realPath(path))
  }

  file(path: string): void {
    const name = this.nameOf(path)
    if (this.#parts.has(name)) return
    const found = this.#files.read(path, this.#around.redact)
    if (found === undefined) return
    this.#parts.set(name, found.hash)
    this.variables(found.variables)
  }

  /** A value that is given to the agent: what looks like a secret in it may decide the answer, and is not kept. */
  data(name: string, value: unknown): void {
    const text = this.settings(name, value)
    if (text !== sortedJson(value)) this.unseen([], `${name} has what looks like a secret, which is not kept`)
  }

  /** How something is reached: keys and passwords in it do not count. */
  settings(name: string, value: unknown): string {
    const text = this.#around.redact(sortedJson(withoutKeys(value)))
    this.#parts.set(name, hashPart(text))
    this.variables(listVariables(text))
    return text
  }

  /** Variables of the environment, except those that hold secrets. */
  variables(names: Iterable<string>): void {
    const { env, config } = this.#around.project
    for (const name of names) {
      const value = env[name] ?? ''
      if (looksSecret(name, value) || config.secrets?.includes(name)) continue
      this.#parts.set(`environment variable ${name}`, hashPart(this.#around.redact(value)))
    }
  }

  /** There is more than viva sees, unless the config names files for one of these names. The first reason counts. */
  unseen(names: readonly string[], reason: string): void {
    const known = names.filter((name) => this.#around.named.has(name))
    for (const name of known) this.named(name)
    const [name = ''] = names
    if (known.length === 0 && !this.#unseen.has(name)) this.#unseen.set(name, reason)
  }

  /** The files that the config names. */
  named(name: string): void {
    for (const path of this.#around.named.get(name) ?? []) this.file(path)
  }

  fingerprint(): AgentFingerprint {
    const parts = Object.fromEntries([...this.#parts].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (this.#unseen.size === 0) return { parts }
    return { parts, unseen: [...this.#unseen.values()].join('; '), unseenNames: [...this.#unseen.keys()] }
  }
}
