import { join } from 'node:path'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import { type Project, projectPath } from '../../project/project.ts'
import { findContextFile } from '../../run/context-file.ts'
import { listContextFolders } from '../phases/outside.ts'
import type { Variants } from '../phases/variants.ts'

/** Whether its cases are in files, which workers have, too. */
export function isShared(input: DetectedInput): input is Extract<DetectedInput, { path: string }> {
  return 'path' in input && input.kind !== 'given'
}

/** Case files and folders, from the root of the project. Cases of other inputs travel with their jobs. */
export function listSharedInputs(inputs: readonly DetectedInput[], project: Project): string[] {
  return inputs.flatMap((input) => {
    if (!isShared(input)) return []
    return shareFile(input.path, input.shown, project, 'or send the cases with -i -')
  })
}

/** The file of `--ctx`, from the root of the project. */
export function findSharedContext(named: string, project: Project, variants: Variants): string {
  const path = findContextFile(named, listContextFolders(project, variants))
  return shareFile(path, `--ctx ${named}`, project)
}

function shareFile(file: string, shown: string, project: Project, orElse?: string): string {
  const path = projectPath(project, file)
  if (!path.startsWith('..')) return path
  throw new ConfigError({
    code: 'bad_queue',
    message: `${shown} is outside of the project, where workers cannot find it`,
    hint: ['move it into the project', orElse].filter((part) => part !== undefined).join(', '),
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
