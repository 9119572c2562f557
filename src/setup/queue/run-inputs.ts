import { join } from 'node:path'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import { type Project, projectPath } from '../../project/project.ts'

/** Case files and folders, from the root of the project. Cases of other inputs travel with their jobs. */
export function listSharedInputs(inputs: readonly DetectedInput[], project: Project): string[] {
  return inputs.flatMap((input) => {
    if (!('path' in input) || input.kind === 'given') return []
    const path = projectPath(project, input.path)
    if (!path.startsWith('..')) return path
    throw new ConfigError({
      code: 'bad_queue',
      message: `${input.shown} is outside of the project, where workers cannot find it`,
      hint: 'move it into the project, or send the cases with -i -',
    })
  })
}

/** Where the command was started, in this checkout of the project. */
export function sharedFolder(root: string, folder: string): string {
  const path = join(root, folder)
  if (path !== root && !path.startsWith(`${root}/`))
    throw new ConfigError({
      code: 'bad_queue',
      message: `its working folder ${folder} is outside of the project`,
    })
  return path
}
