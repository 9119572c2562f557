import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, posix, sep } from 'node:path'
import { detectMediaType } from '../../../system/media-type.ts'
import { createParentFolder, returnNull } from './fs-content.ts'
import type { Paths } from './fs-paths.ts'
import { globBelow } from './glob.ts'

const folderMode = 0o755

/** Files and folders as entries. */
export function entryMethods(paths: Paths) {
  const list = (folder: string, recursive: boolean): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        return [paths.shown(path), ...(recursive && entry.isDirectory() ? list(path, true) : [])]
      })
  return {
    Remove: returnNull((path: string) => {
      const entry = paths.entry(path)
      const found = lstatSync(entry, { throwIfNoEntry: false })
      if (found?.isDirectory()) rmdirSync(entry)
      else rmSync(entry, { force: true })
    }),
    RemoveAll: returnNull((path: string) => rmSync(paths.entry(path), { recursive: true, force: true })),
    Move: returnNull((from: string, to: string) =>
      renameSync(paths.entry(from), createParentFolder(paths.entry(to))),
    ),
    Copy: returnNull((from: string, to: string) => copy(paths, from, to)),
    Chmod: returnNull((path: string, mode: number) => chmodSync(paths.follow(path), mode)),
    ReadDir: (path: string, recursive = false) => list(paths.follow(path), recursive === true),
    Glob: (pattern: string) => globBelow(pattern, paths),
    Mkdir: returnNull((path: string, mode?: number) =>
      mkdirSync(paths.follow(path), { mode: mode ?? folderMode }),
    ),
    MkdirAll: returnNull((path: string, mode?: number) =>
      mkdirSync(paths.follow(path), { recursive: true, mode: mode ?? folderMode }),
    ),
    MkdirTemp: (path?: string, pattern?: string) =>
      paths.shown(makeTemporary(paths, path || '/tmp', pattern ?? '')),
    ...inspectionMethods(paths),
  }
}

function copy(paths: Paths, from: string, to: string): void {
  const [source, target] = [paths.follow(from), paths.follow(to)]
  if (statSync(source).isDirectory()) copyFolder(paths, from, to)
  else copyFileSync(source, createParentFolder(target))
}

/** Resolves each entry through `paths`: it may be a link, on either side. */
function copyFolder(paths: Paths, from: string, to: string): void {
  const [source, target] = [paths.follow(from), paths.follow(to)]
  if (`${target}${sep}`.startsWith(`${source}${sep}`))
    throw new Error(`${paths.label}: ${from} cannot be copied into itself`)
  mkdirSync(target, { recursive: true })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.isSymbolicLink() && statSync(paths.follow(`${from}/${entry.name}`)).isDirectory())
      throw new Error(`${paths.label}: ${from}/${entry.name} is a link to a folder, which is not copied`)
    copy(paths, `${from}/${entry.name}`, `${to}/${entry.name}`)
  }
}

/** Without a folder, the engine would use that of the system, which is outside the app. */
function makeTemporary(paths: Paths, path: string, pattern: string): string {
  if (/[\\/]/.test(pattern)) throw new Error(`${paths.label}: ${pattern} is not a folder name`)
  const star = pattern.lastIndexOf('*')
  const [before, after] = star < 0 ? [pattern, ''] : [pattern.slice(0, star), pattern.slice(star + 1)]
  const folder = paths.follow(path)
  mkdirSync(folder, { recursive: true })
  const made = mkdtempSync(`${folder}${sep}${before}`)
  if (after === '') return made
  renameSync(made, `${made}${after}`)
  return `${made}${after}`
}

function inspectionMethods(paths: Paths) {
  const stats = (path: string) => statSync(paths.follow(path))
  /** Paths that lead out are refused; missing files and dangling links are not found. */
  const found = (path: string) => {
    try {
      return stats(path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      throw error
    }
  }
  return {
    Exists: (path: string) => found(path) !== undefined,
    IsDir: (path: string) => found(path)?.isDirectory() ?? false,
    IsFile: (path: string) => found(path)?.isFile() ?? false,
    IsLink: (path: string) =>
      lstatSync(paths.entry(path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false,
    Mode: (path: string) => stats(path).mode & 0o777,
    Size: (path: string) => stats(path).size,
    /** In seconds. */
    ModTime: (path: string) => Math.floor(stats(path).mtimeMs / 1000),
    MimeType: (path: string) => mimeType(paths.follow(path)),
    Abs: (path: string) => paths.follow(path),
    BaseName: (path: string) => posix.basename(path),
    DirName: (path: string) => posix.dirname(path),
    /** Without its dot. */
    ExtName: (path: string) => posix.extname(path).slice(1),
  }
}

/** As Go names it, with the encoding of texts. */
function mimeType(path: string): string {
  const type = detectMediaType(path).replace('application/xml', 'text/xml')
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
