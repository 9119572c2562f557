import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { whySkipped } from './unwatched.ts'

/** The files of a folder, each with a text that differs when the file was written, and its folders, without one. */
export type FolderListing = ReadonlyMap<string, string | undefined>

/** `only`: these files and no folders. Empty for a folder that is gone or cannot be read. */
export function readFolder(path: string, only?: ReadonlySet<string>): FolderListing {
  const entries = new Map<string, string | undefined>()
  for (const entry of listEntries(path)) {
    const { name } = entry
    if (entry.isDirectory()) {
      if (only === undefined && whySkipped(name) === undefined) entries.set(name, undefined)
    } else if (only === undefined || only.has(name)) {
      const stamp = stampFile(join(path, name))
      if (stamp !== undefined) entries.set(name, stamp)
    }
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
  try {
    const found = statSync(path)
    return found.isFile() ? `${found.mtimeMs} ${found.size} ${found.ino}` : undefined
  } catch {
    return undefined
  }
}

export interface ListingDifference {
  /** Files that were written, created or removed. */
  files: string[]
  addedFolders: string[]
  removedFolders: string[]
}

export function compareListings(before: FolderListing, now: FolderListing): ListingDifference {
  const files = new Set<string>()
  const addedFolders: string[] = []
  const removedFolders: string[] = []
  for (const [name, stamp] of now) {
    if (before.has(name) && before.get(name) === stamp) continue
    if (stamp === undefined) addedFolders.push(name)
    else files.add(name)
  }
  for (const [name, stamp] of before) {
    const isSameKind = now.has(name) && (now.get(name) === undefined) === (stamp === undefined)
    if (isSameKind) continue
    if (stamp === undefined) removedFolders.push(name)
    else files.add(name)
  }
  return { files: [...files], addedFolders, removedFolders }
}
