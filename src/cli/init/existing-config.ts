import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listCaseFiles } from '../../cases/sources/folder.ts'
import { ConfigError } from '../../errors.ts'
import type { CommandStart } from '../../setup/command-start.ts'
import { phases } from '../../setup/phase.ts'
import { locationPhase } from '../../setup/phases/location.ts'
import { projectPhase } from '../../setup/phases/project.ts'
import { scriptHostPhase } from '../../setup/phases/script-host.ts'
import { introducesItself, remembers, survivesOddInput } from './first-cases.ts'
import type { Folder } from './folder.ts'
import type { AgentSetup } from './starting-point.ts'

const configName = /^viva\.config\.(?:m?[jt]s|json)$/

export function findConfigName({ files }: Folder): string | undefined {
  return files.find((name) => configName.test(name))
}

const projectSetup = phases<CommandStart & { named: readonly never[] }>()
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)

/** A project that has a config and an agent, but no cases, gets cases. Any other config stays alone. */
export async function completeProject(
  file: string,
  folder: Folder,
  start: CommandStart,
): Promise<AgentSetup> {
  const config = await projectSetup.use({ ...start, named: [] }, async ({ project }) => project.config)
  const fault = (message: string, hint: string) =>
    new ConfigError({ code: 'config_exists', message: `${message}. Nothing was written`, file, hint })
  if (config.agent === undefined)
    throw fault(
      'the folder has a config already, which names no `agent`',
      'add one, or move the file away and run viva init again',
    )
  const hasCases =
    existsSync(join(folder.path, 'tests')) && listCaseFiles(join(folder.path, 'tests')).length > 0
  if (config.inputs !== undefined || hasCases)
    throw fault(
      'the folder has a config and cases already',
      'viva test runs them; to start again, move the file away',
    )
  return {
    config: {},
    target: config.agent,
    cases: [introducesItself(), remembers(), survivesOddInput()],
    notes: [`${file} stays as it is. Add inputs: ['tests'] to it, so that viva test alone runs the cases.`],
  }
}
