import { createAppScripts } from '../app/script-files.ts'
import type { Project } from '../project/project.ts'
import { isEngineService } from './engine-services.ts'

/** Whether scripts of the project may mean something by that name of a process, here or in the engine. */
export function knownProcesses(project: Project): (name: string) => boolean {
  const files = createAppScripts(project)
  const configured = project.config.processes ?? {}
  return (name) =>
    isEngineService(name) ||
    name === 'agent.Call' ||
    /^agents\..+\.Stream$/.test(name) ||
    Object.hasOwn(configured, name) ||
    files.ofProcess(name) !== undefined
}
