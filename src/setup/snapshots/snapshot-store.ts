import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { CaseEntry } from '../../cases/entry.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '../../checks/check-helpers.ts'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Project } from '../../project/project.ts'
import type { Reporter } from '../../reporters/reporter.ts'
import { listFailedChecks } from '../../results/failed-checks.ts'
import type { Key } from '../../results/key.ts'
import type { CaseResult } from '../../results/result.ts'
import { replaceFile } from '../../system/replace-file.ts'
import { resolveLinks } from '../../system/resolve-links.ts'
import { formatSnapshots, parseSnapshots, type Snapshot, snapshotName } from './snapshot-file.ts'

/** Which snapshots a run may write. */
export interface SnapshotUpdates {
  missing: boolean
  changed: boolean
  /** Those that no check asks for are removed. */
  unused: boolean
  /** Why a missing one is not written. */
  whyNot?: string
}

interface OpenFile {
  path: string
  /** The path for messages. */
  shown: string
  /** As they were before this run. */
  snapshots: ReadonlyMap<string, Snapshot>
  /** The same by the id of their case. */
  kept: ReadonlyMap<string, readonly Snapshot[]>
  /** What this run has changed: a snapshot, or undefined for one that is removed. */
  changes: Map<string, Snapshot | undefined>
  asked: Set<string>
  /** Cases and variants that were played to their end, so that they asked for all their snapshots. */
  played: Set<string>
  /** Cases that are not in the case file any more. */
  gone: ReadonlySet<string>
}

/** A snapshot that this run would write if its case passes. */
interface Candidate {
  file: OpenFile
  name: string
  snapshot: Snapshot
}

/** A snapshot that no check asks for. */
export interface UnusedSnapshot {
  file: string
  id: string
  part: string
  variant: string
}

/** The snapshots of a run: one file beside each case file. They are written when the run ends. */
export class SnapshotStore {
  readonly #project: Project
  readonly #updates: SnapshotUpdates
  readonly #redact: () => Redactor
  readonly #files = new Map<string, OpenFile>()
  /** What the cases that are under way have asked for, by attempt. */
  readonly #underWay = new Map<string, { run: number; parts: Set<string>; candidates: Candidate[] }>()
  /** How many this run has accepted and saved. */
  readonly saved = { written: 0, updated: 0 }
  /** Why files could not be saved. */
  readonly #errors: unknown[] = []

  constructor(project: Project, updates: SnapshotUpdates, redact: () => Redactor) {
    this.#project = project
    this.#updates = updates
    this.#redact = redact
  }

  /**
   * Reads the snapshots of these cases. Throws `ConfigError` for a file that is damaged. `isWhole`: all cases of their
   * files are there, so that snapshots of other cases are not needed any more.
   */
  read(cases: Iterable<Pick<CaseEntry, 'file' | 'id'>>, isWhole: boolean): void {
    const ids = new Map<OpenFile, Set<string>>()
    for (const { file: caseFile, id } of cases) {
      const file = this.#open(caseFile)
      if (file === undefined || file.snapshots.size === 0 || !isWhole) continue
      const known = ids.get(file) ?? new Set()
      ids.set(file, known.add(id))
    }
    for (const [file, known] of ids) {
      const kept = [...file.snapshots.values()].map(({ id }) => id)
      file.gone = new Set(kept.filter((id) => !known.has(id)))
    }
  }

  /** The parts and texts that were kept for a case with a variant before this run. */
  textsOf({ file, id }: Pick<CaseEntry, 'file' | 'id'>, variant: string): [part: string, text: string][] {
    const kept = this.#open(file)?.kept.get(id) ?? []
    return kept.filter((each) => each.variant === variant).map(({ part, text }) => [part, text])
  }

  ask({ key, part, text, normalize }: SnapshotQuestion): SnapshotAnswer {
    const file = this.#open(key.file)
    // Before it is normalized: of a secret that is partly replaced, the rest would stay.
    const found = cleanText(normalize(this.#redact()(text)))
    if (file === undefined)
      return { is: 'missing', text: found, why: 'a snapshot needs a case file, beside which it is kept' }
    const snapshot = { id: key.id, part, variant: key.variant, text: found }
    const name = snapshotName(snapshot)
    const own = this.#underWayOf(key)
    if (own.parts.has(part)) {
      const why = `two snapshots of ${part} in one case: give one of them a "name"`
      return { is: 'missing', text: found, why }
    }
    own.parts.add(part)
    file.asked.add(name)
    const ofOtherRun = this.#pending(name, key) ?? file.changes.get(name)
    const kept = ofOtherRun ?? file.snapshots.get(name)
    const isSame = kept !== undefined && (kept.text === found || cleanText(normalize(kept.text)) === found)
    // What another run of the case is about to write nobody has accepted yet.
    if (isSame && ofOtherRun === undefined) return { is: 'same' }
    if (kept === undefined) {
      const why = `there is no snapshot of ${part}; ${this.#updates.whyNot ?? 'run it with --update-snapshots'}`
      if (!this.#updates.missing) return { is: 'missing', text: found, why }
    }
    // The other runs of a case are compared with the first one.
    else if (!isSame && (!this.#updates.changed || ofOtherRun !== undefined))
      return { is: 'different', text: found, expected: kept.text }
    own.candidates.push({ file, name, snapshot })
    return { is: 'written', replaces: file.snapshots.has(name) }
  }

  /** What another run of the case would write. An earlier attempt of the same run has failed. */
  #pending(name: string, { run }: Key): Snapshot | undefined {
    for (const { candidates, run: other } of this.#underWay.values())
      for (const each of candidates) if (each.name === name && other !== run) return each.snapshot
    return undefined
  }

  #underWayOf(key: Key) {
    const text = attemptText(key)
    const known = this.#underWay.get(text) ?? { run: key.run, parts: new Set<string>(), candidates: [] }
    this.#underWay.set(text, known)
    return known
  }

  /** Learns how cases end: the reply of an attempt that failed is not what the next ones must equal. */
  readonly reporter: Reporter = {
    name: 'snapshots',
    events: ['case_finished'],
    on: (event) => {
      if (event.type === 'case_finished') this.#finish(event.result)
    },
  }

  #finish(result: CaseResult): void {
    const { key } = result
    const { candidates } = this.#underWayOf(key)
    this.#underWay.delete(attemptText(key))
    for (const { file, name, snapshot } of failsElsewhere(result) ? [] : candidates)
      file.changes.set(name, snapshot)
    if (wasPlayedToItsEnd(result)) this.#files.get(key.file)?.played.add(playedText(key.id, key.variant))
  }

  /** Undefined for cases that are in no file. */
  #open(caseFile: string): OpenFile | undefined {
    const known = this.#files.get(caseFile)
    if (known !== undefined) return known
    const path = join(this.#project.root, caseFile)
    if (caseFile === '' || !existsSync(path)) return undefined
    const snapshotPath = `${path}.snap`
    const shown = relative(this.#project.cwd, snapshotPath)
    const snapshots = readSnapshots(snapshotPath, shown)
    const file: OpenFile = {
      path: snapshotPath,
      shown,
      snapshots,
      kept: groupByCase(snapshots.values()),
      changes: new Map(),
      asked: new Set(),
      played: new Set(),
      gone: new Set(),
    }
    this.#files.set(caseFile, file)
    return file
  }

  /** Those of cases that are gone, or that were played to their end without asking for them. Removed where the run may. */
  takeUnused(): { unused: UnusedSnapshot[]; isRemoved: boolean } {
    const unused: UnusedSnapshot[] = []
    for (const file of this.#files.values()) {
      for (const [name, { id, part, variant }] of file.snapshots) {
        const isUnused = file.gone.has(id) || file.played.has(playedText(id, variant))
        if (!isUnused || file.asked.has(name)) continue
        unused.push({ file: file.shown, id, part, variant })
        if (this.#updates.unused) file.changes.set(name, undefined)
      }
    }
    return { unused, isRemoved: this.#updates.unused }
  }

  /**
   * Applies what this run has changed to the files as they are now: another run may have written meanwhile. Whether all of
   * them could be written.
   */
  save(): boolean {
    for (const file of this.#files.values()) {
      const { changes, snapshots } = file
      try {
        saveFile(file)
        for (const [name, snapshot] of changes)
          if (snapshot !== undefined) this.saved[snapshots.has(name) ? 'updated' : 'written'] += 1
      } catch (error) {
        // The other files do not suffer from it.
        this.#errors.push(error)
      }
      changes.clear()
    }
    return this.#errors.length === 0
  }

  /** Saves what is not saved yet. Throws what could not be. */
  close(): void {
    if (this.save()) return
    if (this.#errors.length > 1) throw new OutputError(this.#errors.map(errorMessage).join('; '))
    throw this.#errors[0]
  }
}

function saveFile({ path, shown, changes }: OpenFile): void {
  if (changes.size === 0) return
  const snapshots = readSnapshots(path, shown)
  for (const [name, snapshot] of changes) {
    if (snapshot === undefined) snapshots.delete(name)
    else snapshots.set(name, snapshot)
  }
  const target = resolveLinks(path)
  try {
    if (snapshots.size === 0) rmSync(target, { force: true })
    else replaceFile(target, formatSnapshots(basename(path, '.snap'), snapshots.values()))
  } catch (error) {
    throw new OutputError(`${shown} could not be written: ${errorMessage(error)}`)
  }
}

function groupByCase(snapshots: Iterable<Snapshot>): Map<string, Snapshot[]> {
  const groups = new Map<string, Snapshot[]>()
  for (const snapshot of snapshots) {
    const group = groups.get(snapshot.id) ?? []
    group.push(snapshot)
    groups.set(snapshot.id, group)
  }
  return groups
}

function attemptText({ file, id, variant, run, attempt }: Key): string {
  return JSON.stringify([file, id, variant, run, attempt])
}

function playedText(id: string, variant: string): string {
  return JSON.stringify([id, variant])
}

/** Whether anything but a snapshot is wrong with the result. */
function failsElsewhere(result: CaseResult): boolean {
  if (result.status === 'passed') return false
  const isAssertion = result.status === 'failed' && result.failure?.kind === 'assertion'
  return !isAssertion || listFailedChecks(result).some(({ check }) => check.type !== 'snapshot')
}

function wasPlayedToItsEnd({ status, failure, retrying, unevaluated, view }: CaseResult): boolean {
  if (retrying || (status !== 'passed' && failure?.kind !== 'assertion')) return false
  return unevaluated.length === 0 && view.turns.every((turn) => turn.unevaluated === undefined)
}

function readSnapshots(path: string, shown: string): Map<string, Snapshot> {
  if (!existsSync(path)) return new Map()
  let content: Buffer
  try {
    content = readFileSync(path)
  } catch (error) {
    const message = `the snapshots cannot be read: ${errorMessage(error)}`
    throw new ConfigError({ code: 'bad_snapshots', message, file: shown })
  }
  // It is written again as a whole: text that was decoded wrongly would be lost.
  if (!isUtf8(content)) {
    const hint = 'save the file as UTF-8'
    throw new ConfigError({
      code: 'bad_snapshots',
      message: 'the snapshots are not valid UTF-8',
      file: shown,
      hint,
    })
  }
  return parseSnapshots(content.toString('utf8'), shown)
}

/** As the file has it: without blanks at the ends of lines, which editors remove, and without halves of characters. */
function cleanText(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
}
