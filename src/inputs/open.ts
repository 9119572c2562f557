import { dirname } from 'node:path'
import type { CaseDefaults } from '../cases/compile.ts'
import type { CaseSource } from '../cases/entry.ts'
import type { AgentLimits } from '../cases/validate.ts'
import { ConfigError } from '../errors.ts'
import { type Project, pathInProject } from '../project/project.ts'
import { combineSources } from './combine.ts'
import type { DetectedInput } from './detect.ts'
import { caseFilesIn } from './folder.ts'
import { jsonlSource } from './jsonl.ts'
import { messageSource } from './message.ts'

/** The folder from which the project is looked for. */
export function folderOf(inputs: readonly DetectedInput[], cwd: string): string {
  const [first] = inputs
  if (first === undefined || first.kind === 'message') return cwd
  return first.kind === 'folder' ? first.path : dirname(first.path)
}

/** All inputs of a run as one source. */
export function openInputs(
  inputs: readonly DetectedInput[],
  project: Project,
  limits: AgentLimits,
  defaults: CaseDefaults,
): CaseSource {
  const [only] = inputs
  if (only?.kind === 'message' && inputs.length === 1) return messageSource(only.text, defaults)

  const sources = new Map<string, CaseSource>()
  for (const input of inputs) {
    if (input.kind === 'message') {
      const message = `a message goes alone: ${JSON.stringify(input.text)} is no file`
      throw new ConfigError({ code: 'bad_input', message })
    }
    for (const path of input.kind === 'folder' ? caseFilesIn(input.path) : [input.path]) {
      const file = pathInProject(project, path)
      sources.set(file, jsonlSource({ path, file, limits, defaults }))
    }
  }
  return combineSources(inputs.map(({ shown }) => shown).join(', '), sources)
}
