import type { DetectedInput } from '../../cases/sources/detect.ts'
import { inputFolder } from '../../cases/sources/open.ts'
import { locateProject } from '../../project/project.ts'
import type { CommandStart } from '../command-start.ts'

/** The project is looked for from the folder of the cases; without cases, from the working folder. */
export const locationPhase = {
  name: 'location',
  open: ({
    shell: { cwd, env },
    inputs,
  }: Pick<CommandStart, 'shell'> & { inputs: readonly DetectedInput[] }) =>
    locateProject(inputFolder(inputs, cwd), cwd, env),
} as const
