import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Project } from '../project.ts'

/** A file of the app that has an id. */
export interface AppFile {
  /** The path below its folder, with dots instead of slashes. */
  id: string
  path: string
  /** The path for messages. */
  file: string
}

/** Finds the files of one kind: `conn` in `connectors/`, `mcp` in `mcps/`. */
export function findAppFiles(project: Project, folderName: string, kind: string): AppFile[] {
  const folder = project.appRoot === undefined ? undefined : join(project.appRoot, folderName)
  if (folder === undefined || !existsSync(folder)) return []
  const ending = new RegExp(`\\.${kind}\\.(yao|json|jsonc)$`)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => {
      const path = join(folder, name)
      const id = name.replace(ending, '').split(sep).join('.')
      return { id, path, file: relative(project.cwd, path) }
    })
}
