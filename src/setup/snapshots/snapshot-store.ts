import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { SnapshotAnswer, SnapshotQuestion } from '../../checks/check-helpers.ts'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Project } from '../../project/project.ts'
import { formatSnapshots, parseSnapshots, type Snapshot, snapshotName } from './snapshot-file.ts'

/** Which snapshots a run may write. */
export interface SnapshotUpdates {
  missing: boolean
  changed: boolean
  /** Those that no check asks for are removed. */
  obsolete: boolean
  /** Why a missing one is not written. */
  whyNot?: string
}

interface OpenFile {
  path: string
  /** The path for messages. */
  shown: string
  snapshots: Map<string, Snapshot>
  asked: Set<string>
  isChanged: boolean
}

/** A snapshot that exists, but that no check asked for. */
export interface ObsoleteSnapshot {
  file: string
  id: string
  part: string
}

/** The snapshots of a run: one file beside each case file. Written when the run ends. */
export class SnapshotStore {
  readonly #project: Project
  readonly #updates: SnapshotUpdates
  readonly #redact: () => Redactor
  readonly #files = new Map<string, OpenFile>()
  /** How many this run has accepted. */
  readonly accepted = { written: 0, updated: 0 }

  constructor(project: Project, updates: SnapshotUpdates, redact: () => Redactor) {
    this.#project = project
    this.#updates = updates
    this.#redact = redact
  }

  /** Reads the snapshots of these case files. Throws `ConfigError` for a file that is damaged. */
  read(caseFiles: Iterable<string>): void {
    for (const file of caseFiles) this.#open(file)
  }

  ask({ key, part, text, normalize }: SnapshotQuestion): SnapshotAnswer {
    const file = this.#open(key.file)
    if (file === undefined)
      return { is: 'missing', why: 'a snapshot needs a case file, beside which it is kept' }
    const given = { id: key.id, part, variant: key.variant, text: cleanText(this.#redact()(normalize(text))) }
    const name = snapshotName(given)
    const isFirst = !file.asked.has(name)
    file.asked.add(name)
    const kept = file.snapshots.get(name)
    if (kept === undefined) {
      const why = `there is no snapshot of ${part}; ${this.#updates.whyNot ?? 'run it with --update-snapshots'}`
      return this.#updates.missing ? this.#write(file, name, given, false) : { is: 'missing', why }
    }
    if (cleanText(normalize(kept.text)) === given.text) return { is: 'same' }
    // The other runs of a case are compared with the one that was accepted.
    if (this.#updates.changed && isFirst) return this.#write(file, name, given, true)
    return { is: 'different', expected: kept.text }
  }

  #write(file: OpenFile, name: string, snapshot: Snapshot, replaces: boolean): SnapshotAnswer {
    file.snapshots.set(name, snapshot)
    file.isChanged = true
    this.accepted[replaces ? 'updated' : 'written'] += 1
    return { is: 'written', replaces }
  }

  /** Undefined for cases that are in no file. */
  #open(caseFile: string): OpenFile | undefined {
    const known = this.#files.get(caseFile)
    if (known !== undefined) return known
    const path = join(this.#project.root, caseFile)
    if (caseFile === '' || !existsSync(path)) return undefined
    const snapshotPath = `${path}.snap`
    const shown = relative(this.#project.cwd, snapshotPath)
    const snapshots = existsSync(snapshotPath)
      ? readSnapshots(snapshotPath, shown)
      : new Map<string, Snapshot>()
    const file = { path: snapshotPath, shown, snapshots, asked: new Set<string>(), isChanged: false }
    this.#files.set(caseFile, file)
    return file
  }

  /** Those of these variants that no check asked for. Only meaningful when all cases were played to their end. */
  takeObsolete(variants: ReadonlySet<string>): ObsoleteSnapshot[] {
    const found: ObsoleteSnapshot[] = []
    for (const file of this.#files.values()) {
      for (const [name, { id, part, variant }] of file.snapshots) {
        if (file.asked.has(name) || !variants.has(variant)) continue
        found.push({ file: file.shown, id, part })
        if (!this.#updates.obsolete) continue
        file.snapshots.delete(name)
        file.isChanged = true
      }
    }
    return found
  }

  /** Writes the files that have changed, each as a whole. */
  save(): void {
    for (const file of this.#files.values()) {
      if (!file.isChanged) continue
      file.isChanged = false
      try {
        if (file.snapshots.size === 0) rmSync(file.path, { force: true })
        else replaceFile(file.path, formatSnapshots(basename(file.path, '.snap'), file.snapshots.values()))
      } catch (error) {
        throw new OutputError(`${file.shown} could not be written: ${errorMessage(error)}`)
      }
    }
  }
}

function readSnapshots(path: string, shown: string): Map<string, Snapshot> {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const message = `the snapshots cannot be read: ${errorMessage(error)}`
    throw new ConfigError({ code: 'bad_snapshots', message, file: shown })
  }
  return parseSnapshots(content, shown)
}

/** As the file has it: without blanks at the ends of lines, which editors remove. */
function cleanText(text: string): string {
  return text.replace(/[^\S\n]+$/gm, '').trimEnd()
}

function replaceFile(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, content)
    renameSync(temporary, path)
  } catch (error) {
    if (existsSync(temporary) && statSync(temporary).isFile()) rmSync(temporary)
    throw error
  }
}
