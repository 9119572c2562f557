import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Reference, RenameReference } from '../../cases/references.ts'
import { findScript } from '../../project/app/script-files.ts'
import type { Project } from '../../project/project.ts'
import { relativePath } from '../../system/relative-path.ts'
import { agentName } from '../../text/agent-name.ts'
import { scriptFolders } from '../helpers/case-scripts.ts'
import { moduleReference } from './recorded-agent.ts'

/** The folder of a case file, and the one of the file that it is written to. */
export interface Move {
  from: string
  to: string
  /** Of the agent under test, where it has one. */
  agentFolder: string | undefined
}

/** Names scripts and modules for a case in another folder. What is not found at all keeps its name. */
export function moveReferences(move: Move, project: Project): RenameReference {
  return ({ kind, name }: Reference) =>
    kind === 'script' ? moveScript(name, move, project) : moveModule(name, move, project)
}

function moveScript(name: string, { from, to, agentFolder }: Move, project: Project): string | undefined {
  const find = (reference: string, folder: string) =>
    findScript(reference, scriptFolders(folder, agentFolder, project))
  const found = find(name, from)
  if (found === undefined) return name
  const [prefix] = /^(?:scripts[.:])?/.exec(name) ?? ['']
  const path = relativePath(to, found.file).slice(0, -extname(found.file).length)
  const parts = [...path.split('/'), ...(found.function === undefined ? [] : [found.function])]
  return [name, `${prefix}${parts.join('.')}`].find((candidate) => {
    const there = find(candidate, to)
    return there?.file === found.file && there.function === found.function
  })
}

/** A module that is found beside the case is named by its path. Everything else has the same name everywhere. */
function moveModule(name: string, { from, to }: Move, { config }: Project): string {
  const use = agentName(name)
  const [, path, more = ''] = moduleReference.exec(use) ?? []
  if (from === to || path === undefined || Object.hasOwn(config.agents ?? {}, use)) return name
  const file = resolve(from, path)
  if (!existsSync(file)) return name
  const moved = relativePath(to, file)
  return `${moved.startsWith('../') ? '' : './'}${moved}${more}`
}
