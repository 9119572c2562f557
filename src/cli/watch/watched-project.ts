import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isWrittenByRun } from '../../results/written-by-run.ts'
import { realPath } from '../../scripts/compile/imports.ts'
import type { Shell } from '../../system/shell.ts'
import type { GivenFlags } from '../flags.ts'
import { affectedPart, type RunFiles } from './affected.ts'
import { createFileWatcher, type FileChange, type FileWatcher } from './file-watcher.ts'
import { everything, listNames, type Part } from './part.ts'
import { findRunFiles, type KnownFiles, type OpenedRun } from './run-files.ts'
import { type NamedPaths, whyUnwatched } from './unwatched.ts'
import { WrittenByRuns } from './written-by-runs.ts'

interface WatchedProjectOptions {
  given: GivenFlags
  shell: Pick<Shell, 'cwd' | 'env'>
  /** Something has changed that a run uses. `because` says what. */
  onAffected(part: Part, because: string): void
  warn(text: string): void
}

/** The files of a project, from one change to the next. */
export class WatchedProject {
  readonly #options: WatchedProjectOptions
  readonly #watcher: FileWatcher
  readonly #written: WrittenByRuns
  #opened: OpenedRun | undefined
  #known: KnownFiles

  constructor(options: WatchedProjectOptions) {
    const { warn } = options
    this.#options = options
    this.#written = new WrittenByRuns((path) =>
      warn(`${this.#shown(path)} changes in every run: while cases run, it does not start another one`),
    )
    this.#watcher = createFileWatcher({
      onChanges: (changes) => this.#onChanges(changes),
      onTooMany: (limit) => warn(`the project has more than ${limit} folders: the rest is not watched`),
    })
    this.#known = this.#look()
  }

  /** Plays a run, which says what it has opened. */
  async during<Result>(play: (onOpened: (opened: OpenedRun) => void) => Promise<Result>): Promise<Result> {
    this.#written.started(Date.now())
    try {
      return await play((opened) => {
        this.#opened = opened
        this.#known = this.#look()
      })
    } finally {
      this.#written.ended(Date.now())
    }
  }

  close(): void {
    this.#watcher.close()
  }

  /** Looks at the files as they are now, and watches them. */
  #look(): KnownFiles {
    const { given, shell } = this.#options
    const known = findRunFiles(this.#opened, given, shell)
    this.#watcher.watch(known.places)
    return known
  }

  #onChanges(changes: readonly FileChange[]): void {
    const names = (paths: readonly FileChange[]) => listNames(paths.map(({ path }) => this.#shown(path)))
    try {
      this.#classify(changes, names)
    } catch (error) {
      if (!isFileSystemError(error)) throw error
      // A file was removed while it was looked at.
      this.#options.onAffected(everything, `${names(changes)} changed`)
    }
  }

  #classify(changes: readonly FileChange[], names: (changes: readonly FileChange[]) => string): void {
    const before = this.#known
    this.#known = this.#look()
    const counted = changes.filter(
      ({ path }) => whyUnwatched(path, this.#known.root, this.#named()) === undefined,
    )
    const sifted = this.#written.sift(counted, (path) => this.#known.read.has(path))
    const paths = sifted.map(({ path }) => path)
    const part = affectedPart(paths, withFormerInputs(this.#known, before), existsSync)
    if (part !== undefined) this.#options.onAffected(part, `${names(sifted)} changed`)
  }

  #named(): NamedPaths {
    const { given, shell } = this.#options
    const outputs = [given.output ?? []].flat().map((path) => resolve(shell.cwd, String(path)))
    return {
      outputs: outputs.map((path) => join(realPath(dirname(path)), basename(path))),
      read: this.#known.read,
      mentions: this.#known.mentions,
      isWrittenByRun: (path) => existsSync(path) && isWrittenByRun(path),
    }
  }

  #shown(path: string): string {
    const fromHere = relative(realPath(this.#options.shell.cwd), path)
    return fromHere.startsWith('../..') ? path : fromHere
  }
}

/** With the files that were inputs before, and are gone now. */
function withFormerInputs(known: RunFiles, before: RunFiles): RunFiles {
  const paths = new Set(known.inputs.map(({ path }) => path))
  return { ...known, inputs: [...known.inputs, ...before.inputs.filter(({ path }) => !paths.has(path))] }
}

/** `ENOENT`, `EACCES` and the like; the codes of Node's own errors begin with `ERR_`. */
function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^E[A-Z0-9]+$/.test(String(error.code))
}
