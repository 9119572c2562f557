import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { whySkipped } from './unwatched.ts'

/** A file or a folder in a folder. */
interface ListedEntry {
  isFolder: boolean
  /** Differs when the file was written, or when the folder was replaced by another one. */
  stamp: string
}

/** What is in a folder, by name. */
export type FolderListing = ReadonlyMap<string, ListedEntry>

/** `only`: these files and no folders. Empty for a folder that is gone or cannot be read. */
export function readFolder(path: string, only?: ReadonlySet<string>): FolderListing {
  const entries = new Map<string, ListedEntry>()
  for (const entry of listEntries(path)) {
    const { name } = entry
    const isFolder = entry.isDirectory()
    const isListed = isFolder
      ? only === undefined && whySkipped(name) === undefined
      : only === undefined || only.has(name)
    if (!isListed) continue
    const stamp = isFolder ? stampFolder(join(path, name)) : stampFile(join(path, name))
    if (stamp !== undefined) entries.set(name, { isFolder, stamp })
  }
  return entries
}

function listEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Undefined for what is no file: a socket, or a link that leads nowhere. */
function stampFile(path: string): string | undefined {
  const found = look(path)
  return found?.isFile() ? `${found.mtimeMs} ${found.size} ${found.ino}` : undefined
}

/** Differs when another folder has taken the place of this one. Undefined for a folder that is gone. */
export function stampFolder(path: string): string | undefined {
  const found = look(path)
  // A new folder often gets the inode of one that was removed just before.
  return found?.isDirectory() ? `${found.dev} ${found.ino} ${found.birthtimeMs}` : undefined
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

interface ListingDifference {
  /** Files that were written, created or removed. */
  files: string[]
  addedFolders: string[]
  removedFolders: string[]
  /** Another folder has taken their place. */
  replacedFolders: string[]
}

export function compareListings(before: FolderListing, now: FolderListing): ListingDifference {
  const files = new Set<string>()
  const addedFolders: string[] = []
  const removedFolders: string[] = []
  const replacedFolders: string[] = []
  for (const [name, { isFolder, stamp }] of now) {
    const former = before.get(name)
    if (former?.isFolder === isFolder && former.stamp === stamp) continue
    if (!isFolder) files.add(name)
    else if (former?.isFolder) replacedFolders.push(name)
    else addedFolders.push(name)
  }
  for (const [name, { isFolder }] of before) {
    if (now.get(name)?.isFolder === isFolder) continue
    if (isFolder) removedFolders.push(name)
    else files.add(name)
  }
  return { files: [...files], addedFolders, removedFolders, replacedFolders }
}
