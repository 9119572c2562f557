import { processProblem } from '../../project/app/processes.ts'
import { createAppScripts } from '../../project/app/script-files.ts'
import type { Project } from '../../project/project.ts'

/** Whether scripts of the project may mean something by that name of a process, here or in the engine. */
export function knownProcesses(project: Project): (name: string) => boolean {
  const parts = { files: createAppScripts(project), processes: project.config.processes ?? {} }
  return (name) => processProblem(name, parts) === undefined
}
