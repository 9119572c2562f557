import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** `.viva` of a project, with what keeps it out of git; a `.gitignore` of the user's own stays. */
export function makeVivaFolder(root: string): string {
  const folder = join(root, '.viva')
  makeFolder(folder)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  return folder
}
