import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { relativePath } from '../../../system/relative-path.ts'
import { appNames, findYaoAppRoot } from '../../compile/open-module.ts'

/** The folders of an app that a script may use, by the names that scripts use. */
const folders: Record<string, string | undefined> = {
  __proto__: null as never,
  system: 'data',
  data: 'data',
  app: '',
  script: 'scripts',
}

/** Resolves the paths of one FS. None of them leaves its folder. */
export interface Paths {
  /** The name in messages: `FS data`. */
  label: string
  /** The real path of the folder itself. */
  root(): string
  /** The real path that a path leads to, through any links. */
  follow(path: unknown): string
  /** The entry of a folder itself: a link is not followed. */
  entry(path: unknown): string
  /** A real path as scripts write it: `/notes/a.txt`. */
  shown(real: string): string
}

/** `folder` is that of the running script. */
export function createPaths(name: unknown, folder: () => string): Paths {
  const below = typeof name === 'string' ? folders[name] : undefined
  if (below === undefined)
    throw new TypeError(
      `FS: there is no file system ${JSON.stringify(name)}; there are: system, data, app, script`,
    )
  const label = `FS ${name}`
  const inside = (real: string, top: string, path: unknown) => {
    if (real === top || real.startsWith(top.endsWith(sep) ? top : top + sep)) return real
    throw new Error(`${label}: ${path} leads out of ${top} through a symbolic link`)
  }
  const root = () => {
    const app = findYaoAppRoot(folder())
    if (app !== undefined) return inside(resolveRealPath(join(app, below)), resolveRealPath(app), below)
    throw new Error(
      `${label}: ${folder()} is not in an app: neither it nor a folder above has an ${appNames.join(' or ')}`,
    )
  }
  const follow = (path: unknown) => {
    const top = root()
    return inside(resolveRealPath(joinWritten(path, top, label)), top, path)
  }
  return {
    label,
    root,
    follow,
    entry(path) {
      const top = root()
      const whole = joinWritten(path, top, label)
      if (whole === top)
        throw new Error(`${label}: ${path} is the root folder, which cannot be moved or removed`)
      return join(inside(resolveRealPath(dirname(whole)), top, path), basename(whole))
    },
    shown: (real) => `/${relativePath(root(), real)}`,
  }
}

/** The path as written, below the root; `/a` starts there, and results of `Abs` are accepted. */
function joinWritten(path: unknown, root: string, label: string): string {
  if (typeof path !== 'string') throw new TypeError(`${label}: a path must be a text, got ${typeof path}`)
  if (path.split(/[\\/]/).includes('..'))
    throw new Error(`${label}: ${path} has "..", which could leave ${root}`)
  const whole = path === root || path.startsWith(root + sep) ? join(path) : join(root, path)
  return whole.replace(/(?<=.)[\\/]$/, '')
}

/** For a missing entry, that of the folder it would be in. A dangling link has none. */
function resolveRealPath(path: string): string {
  return entryExists(path) ? realpathSync(path) : join(resolveRealPath(dirname(path)), basename(path))
}

function entryExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // There is a file in place of a folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}
