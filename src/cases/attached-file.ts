import { existsSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../errors.ts'
import type { AttachedFile } from '../results/transcript/attachment.ts'
import { detectMediaType } from '../system/media-type.ts'

/** Finds the file of a `file://` source; throws with a message for the case author. */
export type FindFile = (source: string) => AttachedFile

/** Providers reject larger files, and the whole file is held in memory. */
const maxBytes = 20 * 1024 * 1024

/** Searches the folders in order. The file must be inside the project, even after following links. */
export function createFindFile(folders: readonly string[], projectRoot: string): FindFile {
  return (source) => {
    const name = source.startsWith('file:///') ? fileURLToPath(source) : source.replace(/^file:\/\//, '')
    const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))
    const found = candidates.find((path) => existsSync(path))
    if (found === undefined) throw new Error(`${source}: no such file`)
    const path = resolveProjectFile(found, projectRoot, source)
    if (statSync(path).size > maxBytes) {
      throw new Error(`${source} has more than ${maxBytes / 1024 / 1024} MB`)
    }
    return { path, mediaType: detectMediaType(path) }
  }
}

/** The real path of a project file; throws with a message for the case author, in which the file is called `shown`. */
export function resolveProjectFile(path: string, projectRoot: string, shown: string): string {
  if (!existsSync(path)) throw new Error(`${shown}: no such file`)
  const real = realpathSync(path)
  if (isOutside(realpathSync(projectRoot), real)) throw new Error(`${shown} is outside the project`)
  if (!statSync(real).isFile()) throw new Error(`${shown} is not a file`)
  return real
}

/** An unknown media type may still be an image or audio. */
function hasOtherType(type: string, mediaType: string): boolean {
  if (type === 'file' || mediaType === '' || mediaType === 'application/octet-stream') return false
  return !mediaType.startsWith(`${type}/`)
}

function isOutside(root: string, path: string): boolean {
  const below = relative(root, path)
  return below.startsWith('..') || isAbsolute(below)
}

/** Why the file cannot be sent as a part of this type, or undefined. */
export function fileProblem(source: string, type: string, findFile: FindFile): string | undefined {
  try {
    const { mediaType } = findFile(source)
    return hasOtherType(type, mediaType)
      ? `${source} is not of type ${type}: its first bytes are those of ${mediaType}`
      : undefined
  } catch (error) {
    return errorMessage(error)
  }
}
