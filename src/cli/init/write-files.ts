import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError, errorMessage } from '../../errors.ts'

/** A file to write. Only `.gitignore` may be there already: its new text contains the old one. */
export interface NewFile {
  /** Relative to the folder, with `/`. */
  name: string
  text: string
  replaces?: boolean
}

/** Writes all files or none: what was written before a failure is removed again. Files that are there are not touched. */
export function writeFiles(folder: string, files: readonly NewFile[]): void {
  const undo: (() => void)[] = []
  try {
    for (const { name, text, replaces = false } of files) {
      const path = join(folder, name)
      makeFolders(dirname(path), undo)
      // Beside its place, so that it can be moved there in one step.
      const temporary = `${path}.${process.pid}.tmp`
      undo.push(() => rmSync(temporary, { force: true }))
      writeFileSync(temporary, text, { flag: 'wx' })
      if (!replaces) {
        closeSync(openSync(path, 'wx'))
        undo.push(() => unlinkSync(path))
      }
      renameSync(temporary, path)
    }
  } catch (error) {
    for (const step of undo.toReversed()) step()
    throw new ConfigError({
      code: 'not_writable',
      message: `nothing was written: ${errorMessage(error)}`,
      hint: 'run viva init in a folder that you can write to',
    })
  }
}

function makeFolders(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return
  makeFolders(dirname(path), undo)
  mkdirSync(path)
  undo.push(() => rmdirSync(path))
}

/** What is in the way of a file: something that is not a folder. */
export function blockedBy(folder: string, name: string): string | undefined {
  const parts = name.split('/').slice(0, -1)
  return parts
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .find((part) => statSync(join(folder, part), { throwIfNoEntry: false })?.isDirectory() === false)
}
