import type { DetectedInput } from '../../cases/sources/detect.ts'
import { inputFolder } from '../../cases/sources/open.ts'
import { locateProject } from '../../project/project.ts'
import type { CommandStart } from '../command-start.ts'

/** The project is looked for from the folder of the cases; without cases, from the working folder. */
export const locationPhase = {
  name: 'location',
  open: ({ shell: { cwd, env }, named }: Pick<CommandStart, 'shell'> & { named: readonly DetectedInput[] }) =>
    locateProject(inputFolder(named, cwd), cwd, env),
} as const
