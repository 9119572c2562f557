import { existsSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../errors.ts'
import type { AttachedFile } from '../results/transcript/attachment.ts'
import { mediaTypeOf } from '../system/media-type.ts'

/** Finds the file a `file://` source means; throws with words for the author. */
export type FindFile = (source: string) => AttachedFile

/** Providers refuse more, and it would all go through memory. */
const mostBytes = 20 * 1024 * 1024

/** Looked up in the folders in their order; whatever links are on the way, it must lie inside the project. */
export function createFindFile(folders: readonly string[], projectRoot: string): FindFile {
  return (source) => {
    const name = source.startsWith('file:///') ? fileURLToPath(source) : source.replace(/^file:\/\//, '')
    const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))
    const found = candidates.find((path) => existsSync(path))
    if (found === undefined) throw new Error(`${source}: no such file`)
    const path = realFile(found, projectRoot, source)
    if (statSync(path).size > mostBytes) {
      throw new Error(`${source} has more than ${mostBytes / 1024 / 1024} MB`)
    }
    return { path, mediaType: mediaTypeOf(path) }
  }
}

/** Where a file of the project really is; throws with words for the author, who calls it `told`. */
export function realFile(path: string, projectRoot: string, told: string): string {
  if (!existsSync(path)) throw new Error(`${told}: no such file`)
  const real = realpathSync(path)
  if (isOutside(realpathSync(projectRoot), real)) throw new Error(`${told} lies outside the project`)
  if (!statSync(real).isFile()) throw new Error(`${told} is no file`)
  return real
}

/** An image or a sound of a kind that is not known here may well be one. */
function isOther(type: string, mediaType: string): boolean {
  if (type === 'file' || mediaType === '' || mediaType === 'application/octet-stream') return false
  return !mediaType.startsWith(`${type}/`)
}

function isOutside(root: string, path: string): boolean {
  const below = relative(root, path)
  return below.startsWith('..') || isAbsolute(below)
}

/** Undefined when the file can be sent as what its author says that it is. */
export function fileProblem(source: string, type: string, findFile: FindFile): string | undefined {
  try {
    const { mediaType } = findFile(source)
    return isOther(type, mediaType)
      ? `${source} is no ${type}: by its first bytes it is ${mediaType}`
      : undefined
  } catch (error) {
    return messageOf(error)
  }
}
