import { type DetectedInput, detectInput } from '../cases/sources/detect.ts'
import { expandGlob } from '../cases/sources/glob.ts'
import { inputFolder } from '../cases/sources/open.ts'
import { ConfigError } from '../errors.ts'
import { type Location, loadProject, locateProject } from '../project/project.ts'
import { createScriptHost, type ScriptHost } from '../scripts/runner/script-host.ts'
import type { Shell } from '../system/shell.ts'
import type { Front } from './front.ts'
import type { Start } from './phases.ts'
import type { RunRequest } from './settings.ts'

/** What a command starts with. */
export interface CommandStart extends Start {
  shell: Pick<Shell, 'cwd' | 'env' | 'stdin' | 'stdout' | 'stderr'>
  /** Reports something that should be known, though it stops nothing. */
  warn(text: string): void
}

/** What a command that plays cases starts with. */
export interface PlayStart extends CommandStart {
  request: RunRequest
  front: Front
}

export const inputsPhase = {
  name: 'inputs',
  open({ request, shell: { cwd } }: PlayStart): DetectedInput[] {
    const named = request.inputs.flatMap((input) => expandGlob(input, cwd) ?? [input])
    if (named.length > 0) return named.map((input) => detectInput(input, cwd))
    if (request.interactive) return [{ kind: 'person', shown: 'you' }]
    throw new ConfigError({
      code: 'no_input',
      message: 'nothing to test: give a case file, a folder or a message with -i',
      hint: 'viva test --help',
    })
  },
} as const

/** The project is looked for from the folder of the cases; without cases, from the working folder. */
export const locationPhase = {
  name: 'location',
  open: ({
    shell: { cwd, env },
    inputs,
  }: Pick<CommandStart, 'shell'> & { inputs: readonly DetectedInput[] }) =>
    locateProject(inputFolder(inputs, cwd), cwd, env),
} as const

export const scriptHostPhase = {
  name: 'scriptHost',
  open: ({ location: { env, cwd } }: { location: Location }) =>
    createScriptHost({ surroundings: { env, cwd } }),
  close: (host: ScriptHost) => host.close(),
} as const

export const projectPhase = {
  name: 'project',
  open: ({ location, scriptHost, signal }: Start & { location: Location; scriptHost: ScriptHost }) =>
    loadProject(location, scriptHost, signal),
} as const
