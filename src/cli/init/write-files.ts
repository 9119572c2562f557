import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
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
      const path = replaces ? realpathSync(join(folder, name)) : join(folder, name)
      makeFolders(dirname(path), undo)
      // Beside its place, so that it can be moved there in one step.
      const temporary = `${path}.${process.pid}.tmp`
      undo.push(() => rmSync(temporary, { force: true }))
      writeFileSync(temporary, text, { flag: 'wx' })
      if (replaces) chmodSync(temporary, statSync(path).mode & 0o7777)
      if (!replaces) {
        closeSync(openSync(path, 'wx'))
        undo.push(() => unlinkSync(path))
      }
      renameSync(temporary, path)
    }
  } catch (error) {
    const left = undo.toReversed().flatMap(undoStep)
    const outcome = left.length === 0 ? 'nothing was written' : 'not all files could be written'
    const rest = left.length === 0 ? '' : `. What could not be removed again: ${left.join('; ')}`
    throw new ConfigError({
      code: 'not_writable',
      message: `${outcome}: ${errorMessage(error)}${rest}`,
      hint: 'run viva init in a folder that you can write to',
    })
  }
}

/** A step that fails must not keep the others from being taken. */
function undoStep(step: () => void): string[] {
  try {
    step()
    return []
  } catch (error) {
    return [errorMessage(error)]
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
