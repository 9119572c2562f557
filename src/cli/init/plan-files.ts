import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listCaseFiles } from '../../cases/sources/folder.ts'
import { ConfigError } from '../../errors.ts'
import { isVivaInstalled } from './check-folder.ts'
import type { Folder } from './folder.ts'
import { findRepository, planIgnoreFile } from './ignore-file.ts'
import { renderCases } from './render-cases.ts'
import { renderConfig } from './render-config.ts'
import type { AgentSetup } from './starting-point.ts'
import { renderWorkflow } from './workflow.ts'
import { blockedBy, type NewFile } from './write-files.ts'

export interface FilePlan {
  files: NewFile[]
  /** Files that are there already, and stay as they are. */
  kept: string[]
  /** Where the cases are. */
  casesFile: string
  casesFolder: string
  notes: string[]
}

const configFile = 'viva.config.ts'
export const workflowFile = '.github/workflows/viva.yml'

/** Everything that will be written, before any of it is. `found` is undefined for a project that has a config. */
export function planFiles(setup: AgentSetup, found: string | undefined, folder: Folder): FilePlan {
  const casesFolder = chooseCasesFolder(folder)
  const casesFile = `${casesFolder}/first.cases.yaml`
  const { agent, ...rest } = setup.config
  const config = { ...(agent === undefined ? {} : { agent }), inputs: [casesFolder], ...rest }
  const wanted: NewFile[] = [
    ...Object.entries(setup.files ?? {}).map(([name, text]) => ({ name, text })),
    ...(found === undefined
      ? []
      : [{ name: configFile, text: renderConfig(config, found, isVivaInstalled(folder.path)) }]),
    { name: casesFile, text: renderCases(setup.cases) },
  ]
  const notes: string[] = []
  const repository = findRepository(folder.path)
  if (repository === folder.path || folder.has('.github'))
    wanted.push({ name: workflowFile, text: renderWorkflow(folder, setup.variables ?? []) })
  else if (repository !== undefined)
    notes.push(`No workflow for CI is written: workflows are in the root of the repository, ${repository}.`)
  const kept = wanted.filter(({ name }) => existsSync(join(folder.path, name))).map(({ name }) => name)
  const files = wanted.filter(({ name }) => !kept.includes(name))
  for (const { name } of files) refuseBlocked(folder.path, name)
  // Last, so that it changes only when all others are written.
  const ignored = planIgnoreFile(folder.path)
  if (ignored !== undefined)
    files.push({ name: '.gitignore', text: ignored, replaces: folder.has('.gitignore') })
  return { files, kept, casesFile, casesFolder, notes }
}

/** `tests`, unless it has other files that viva would take for cases. */
function chooseCasesFolder({ path, has }: Folder): string {
  if (!has('tests') || has('tests/first.cases.yaml') || blockedBy(path, 'tests/x') !== undefined)
    return 'tests'
  return listCaseFiles(join(path, 'tests')).length === 0 ? 'tests' : 'tests/viva'
}

function refuseBlocked(folder: string, name: string): void {
  const blocking = blockedBy(folder, name)
  if (blocking === undefined) return
  const message = `${name} cannot be written: ${blocking} is not a folder. Nothing was written`
  throw new ConfigError({ code: 'not_writable', message, hint: `rename ${blocking}` })
}
