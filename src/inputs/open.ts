import { dirname, extname } from 'node:path'
import { createFindFile } from '../cases/attached-file.ts'
import type { CaseSettings } from '../cases/compile.ts'
import type { CaseSource } from '../cases/entry.ts'
import type { AgentLimits } from '../cases/validate.ts'
import { defined } from '../defined.ts'
import { ConfigError } from '../errors.ts'
import { type Project, pathInProject } from '../project/project.ts'
import { caseFileSource } from './case-file.ts'
import { combineSources } from './combine.ts'
import type { DetectedInput } from './detect.ts'
import { caseFilesIn } from './folder.ts'
import { formatOf } from './formats.ts'
import { messageSource } from './message.ts'
import type { Loading } from './module.ts'
import { stdinSource } from './stdin.ts'

/** The folder from which the project is looked for. */
export function folderOf(inputs: readonly DetectedInput[], cwd: string): string {
  const [first] = inputs
  if (first === undefined || !('path' in first)) return cwd
  return first.kind === 'folder' ? first.path : dirname(first.path)
}

export interface OpenOptions {
  project: Project
  /** How case files that are modules are read. */
  loading: Loading
  limits: AgentLimits
  helpers: CaseSettings['helpers']
  speakers: CaseSettings['speakers']
  onMissingInput?: NonNullable<CaseSettings['onMissingInput']>
  /** Of the agent under test, where it has one. */
  agentFolder?: string
}

/** All inputs of a run as one source. */
export function openInputs(inputs: readonly DetectedInput[], options: OpenOptions): CaseSource {
  const [only] = inputs
  if (inputs.length === 1 && (only?.kind === 'message' || only?.kind === 'person'))
    return messageSource(
      only.kind === 'message' ? only.text : undefined,
      around(options.project.cwd, options).settings,
    )
  if (inputs.length === 1 && only?.kind === 'stdin') return stdinSource(around(options.project.cwd, options))

  const sources = new Map<string, CaseSource>()
  for (const input of inputs) {
    for (const path of pathsOf(input)) {
      const file = pathInProject(options.project, path)
      sources.set(file, fileSource(path, file, options))
    }
  }
  return combineSources(inputs.map(({ shown }) => shown).join(', '), sources)
}

function pathsOf(input: DetectedInput): string[] {
  if (input.kind === 'folder') return caseFilesIn(input.path)
  if (input.kind === 'cases') return [input.path]
  const message = `${input.kind === 'stdin' ? 'stdin' : 'a message'} goes alone: ${input.shown} is beside other inputs`
  throw new ConfigError({ code: 'bad_input', message })
}

function fileSource(path: string, file: string, options: OpenOptions): CaseSource {
  const format = formatOf(extname(path), options.loading, options.project.root)
  if (format === undefined) {
    const message = `${file}: case files of type "${extname(path)}" are not known`
    throw new ConfigError({ code: 'bad_input', message, hint: 'use .jsonl, .json, .yaml, .csv, .ts or .js' })
  }
  return caseFileSource({ path, file, format, ...around(dirname(path), options) })
}

/** Files are looked up beside the cases, in the agent's folder and in the app. */
function around(folder: string, options: OpenOptions) {
  const { project, limits, helpers, speakers, onMissingInput, agentFolder } = options
  const folders = [folder, agentFolder, project.packageFolder, project.appRoot ?? project.root]
  const findFile = createFindFile(
    folders.filter((path) => path !== undefined),
    project.root,
  )
  return {
    surroundings: { limits, findFile, helpers, speakers },
    settings: { findFile, helpers, speakers, ...defined({ onMissingInput }) },
  }
}
