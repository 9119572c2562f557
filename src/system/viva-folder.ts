import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** Creates the project's `.viva` folder and keeps it out of git; an existing `.gitignore` stays. */
export function makeVivaFolder(root: string): string {
  const folder = join(root, '.viva')
  makeFolder(folder)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  return folder
}
