import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { compareListings, type FolderListing, readFolder, stampFolder } from './folder-listing.ts'
import { whySkipped } from './unwatched.ts'

/** What is watched: folders with all that is below them, and single files elsewhere. */
export interface WatchedPlaces {
  folders: readonly string[]
  files: readonly string[]
}

/** A file that was written, created or removed. */
export interface FileChange {
  path: string
  /** When it was changed last, in milliseconds since 1970; of a file that is gone, when that was noticed. */
  at: number
}

export interface FileWatcher {
  /** Watches these places from now on, instead of those before. */
  watch(places: WatchedPlaces): void
  close(): void
}

export interface WatcherOptions {
  /** Called once for each burst of changes. */
  onChanges(changes: readonly FileChange[]): void
  /** Called once if there are more folders than are watched. */
  onTooMany(limit: number): void
  /** A burst is over when nothing has happened for so long: editors and `git checkout` write in several steps. */
  quietMs?: number
  /** Something that is written without a pause must not keep everything else waiting. */
  longestBurstMs?: number
  maxFolders?: number
}

/** Where the operating system does not report changes, folders are looked at again and again. */
const pollMs = 1_000

interface WatchedFolder {
  /** Only these names, and nothing below; without it, all. */
  only?: ReadonlySet<string>
  seen: FolderListing
  /** Which folder is watched, as another one may take its place. Undefined while it is gone. */
  stamp?: string | undefined
  watcher?: FSWatcher
}

export function createFileWatcher(options: WatcherOptions): FileWatcher {
  return new FolderWatcher(options)
}

/**
 * Watches folders one by one: `fs.watch` only says that something has happened in a folder, and what it was is found by
 * comparing the folder with what was seen before. So no event has to be complete, in order, or about the right file.
 */
class FolderWatcher implements FileWatcher {
  readonly #options: Required<WatcherOptions>
  readonly #folders = new Map<string, WatchedFolder>()
  readonly #polled = new Set<string>()
  /** Folders in which something has happened. */
  readonly #touched = new Set<string>()
  readonly #changed = new Map<string, FileChange>()
  /** When something happened first that is not reported yet. */
  #burstSince: number | undefined
  #quiet: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #isFull = false

  constructor(options: WatcherOptions) {
    this.#options = { quietMs: 150, longestBurstMs: 5_000, maxFolders: 10_000, ...options }
  }

  watch(places: WatchedPlaces): void {
    const single = singleFiles(places)
    for (const path of [...this.#folders.keys()]) {
      const isWanted = places.folders.some((folder) => includes(folder, path)) || single.has(path)
      if (!isWanted) this.#forget(path)
    }
    for (const folder of places.folders) this.#add(folder, false)
    for (const [folder, names] of single) this.#add(folder, false, names)
    if (this.#changed.size > 0) this.#lookLater()
  }

  close(): void {
    clearTimeout(this.#quiet)
    this.#quiet = undefined
    this.#burstSince = undefined
    for (const path of [...this.#folders.keys()]) this.#forget(path)
    this.#touched.clear()
    this.#changed.clear()
  }

  #add(path: string, isNew: boolean, only?: ReadonlySet<string>): void {
    const known = this.#folders.get(path)
    if (known !== undefined) {
      if (sameNames(known.only, only)) return
      this.#compare(path)
      this.#forget(path)
    }
    if (this.#folders.size >= this.#options.maxFolders) {
      if (!this.#isFull) this.#options.onTooMany(this.#options.maxFolders)
      this.#isFull = true
      return
    }
    const folder: WatchedFolder = { seen: new Map(), ...(only && { only }) }
    this.#folders.set(path, folder)
    // Watched before it is read: what happens in between is seen twice rather than never.
    this.#listen(path, folder)
    folder.seen = readFolder(path, only)
    for (const [name, { isFolder }] of folder.seen) {
      if (isFolder) this.#add(join(path, name), isNew)
      else if (isNew) this.#note(join(path, name))
    }
  }

  #listen(path: string, folder: WatchedFolder): void {
    const pollInstead = () => {
      this.#stopListening(path, folder)
      this.#polled.add(path)
      this.#poll ??= setInterval(() => this.#lookAtPolled(), pollMs)
    }
    this.#stopListening(path, folder)
    // Looked at before it is watched: a folder that is replaced in between is watched twice rather than never.
    folder.stamp = stampFolder(path)
    try {
      folder.watcher = watch(path, () => this.#touch(path)).on('error', pollInstead)
    } catch {
      // The limit of the operating system is reached, or the folder is gone already.
      pollInstead()
    }
  }

  #stopListening(path: string, folder: WatchedFolder): void {
    folder.watcher?.close()
    delete folder.watcher
    this.#polled.delete(path)
    if (this.#polled.size > 0) return
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  #forget(path: string): void {
    const folder = this.#folders.get(path)
    if (folder !== undefined) this.#stopListening(path, folder)
    this.#folders.delete(path)
  }

  /** The folder is gone, with all that was in it. */
  #remove(path: string): void {
    const seen: FolderListing = this.#folders.get(path)?.seen ?? new Map()
    this.#forget(path)
    for (const [name, { isFolder }] of seen) {
      if (isFolder) this.#remove(join(path, name))
      else this.#note(join(path, name))
    }
  }

  #note(path: string): void {
    const found = statSync(path, { throwIfNoEntry: false })
    const at = found === undefined ? Date.now() : Math.max(found.mtimeMs, found.ctimeMs)
    this.#changed.set(path, { path, at })
  }

  #touch(path: string): void {
    this.#burstSince ??= Date.now()
    this.#touched.add(path)
    if (this.#quiet === undefined || !this.#isLongBurst()) this.#lookLater()
  }

  #isLongBurst(): boolean {
    return this.#burstSince !== undefined && Date.now() - this.#burstSince >= this.#options.longestBurstMs
  }

  #lookLater(): void {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.#look(), this.#options.quietMs)
  }

  #look(): void {
    this.#quiet = undefined
    const folders = [...this.#touched]
    this.#touched.clear()
    const hasNewFolders = folders.map((path) => this.#compare(path)).includes(true)
    if (!hasNewFolders || this.#isLongBurst()) this.#report()
    // More may be happening in a new folder, of which nothing was reported before it was watched.
    if (hasNewFolders) for (const path of folders) this.#touch(path)
  }

  #lookAtPolled(): void {
    for (const path of [...this.#polled]) this.#compare(path)
    // During a burst, all is reported at its end.
    if (this.#touched.size === 0) this.#report()
  }

  /** Returns whether there are new folders, this one included. */
  #compare(path: string): boolean {
    const folder = this.#folders.get(path)
    if (folder === undefined) return false
    // A watcher stays with the folder that it was made for, even when that is removed.
    const isReplaced = stampFolder(path) !== folder.stamp
    if (isReplaced) this.#listen(path, folder)
    const before = folder.seen
    folder.seen = readFolder(path, folder.only)
    const difference = compareListings(before, folder.seen)
    for (const name of difference.files) this.#note(join(path, name))
    for (const name of difference.removedFolders) this.#remove(join(path, name))
    for (const name of difference.addedFolders) this.#add(join(path, name), true)
    for (const name of difference.replacedFolders) this.#compare(join(path, name))
    return isReplaced || difference.addedFolders.length + difference.replacedFolders.length > 0
  }

  #report(): void {
    this.#burstSince = undefined
    if (this.#changed.size === 0) return
    const changes = [...this.#changed.values()]
    this.#changed.clear()
    this.#options.onChanges(changes)
  }
}

/** The folders of single files that are not in a watched folder anyway, with the names that count there. */
function singleFiles({ folders, files }: WatchedPlaces): Map<string, Set<string>> {
  const single = new Map<string, Set<string>>()
  for (const file of files) {
    const folder = dirname(file)
    if (folders.some((watched) => includes(watched, folder))) continue
    single.set(folder, (single.get(folder) ?? new Set()).add(basename(file)))
  }
  return single
}

/** Whether watching a folder includes another one: some are not looked into. */
function includes(watched: string, folder: string): boolean {
  const names = relative(watched, folder).split(sep)
  return names[0] !== '..' && names.every((name) => whySkipped(name) === undefined)
}

function sameNames(known: ReadonlySet<string> | undefined, only: ReadonlySet<string> | undefined): boolean {
  if (known === undefined || only === undefined) return known === only
  return known.size === only.size && [...only].every((name) => known.has(name))
}
