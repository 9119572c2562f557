import { type DetectedInput, detectInput } from '../../cases/sources/detect.ts'
import { expandGlob } from '../../cases/sources/glob.ts'
import { ConfigError } from '../../errors.ts'
import { type Project, projectPath } from '../../project/project.ts'
import type { PlayStart } from '../command-start.ts'

/** The inputs that the command line names. The project is looked for from there. */
export const namedInputsPhase = {
  name: 'named',
  open: ({ request, shell: { cwd } }: PlayStart) => detectInputs(request.inputs, cwd),
} as const

interface InputsNeeds extends PlayStart {
  named: readonly DetectedInput[]
  project: Project
}

/** What is tested: the inputs of the command line, or else those of the config. */
export const inputsPhase = {
  name: 'inputs',
  open({ request, named, project }: InputsNeeds): readonly DetectedInput[] {
    const found = findInputs({ request, named, project })
    if (request.shard !== undefined) refuseShard(found)
    return found
  },
} as const

function findInputs({
  request,
  named,
  project,
}: Pick<InputsNeeds, 'request' | 'named' | 'project'>): readonly DetectedInput[] {
  if (named.length > 0) return named
  if (request.interactive) return [{ kind: 'person', shown: 'you' }]
  const { inputs = [] } = project.config
  if (inputs.length > 0) return configuredInputs(inputs, project)
  throw new ConfigError({
    code: 'no_input',
    message: 'nothing to test: give a case file, a folder or a message, or name `inputs` in viva.config.ts',
    hint: project.configFile === undefined ? 'viva init writes a config and first cases' : 'viva test --help',
  })
}

/** Every shard must find the same cases. */
function refuseShard(inputs: readonly DetectedInput[]): void {
  const [only] = inputs
  if (inputs.length === 1 && (only?.kind === 'message' || only?.kind === 'person'))
    throw new ConfigError({
      code: 'bad_flag',
      message: '--shard: a message cannot be divided',
      hint: 'give a case file or a folder',
    })
  if (inputs.some((input) => input.kind === 'generator' && input.reference.startsWith('agents:')))
    throw new ConfigError({
      code: 'bad_flag',
      message: '--shard: an agent that generates cases may write other cases for every shard',
      hint: 'write them to a file with --dry-run -o cases.jsonl, and run that',
    })
}

function detectInputs(inputs: readonly string[], folder: string): DetectedInput[] {
  return inputs
    .flatMap((input) => expandGlob(input, folder) ?? [input])
    .map((input) => detectInput(input, folder))
}

/** Relative to the folder of the config, wherever the command is run. */
function configuredInputs(inputs: readonly string[], project: Project): DetectedInput[] {
  const file = project.configFile === undefined ? 'the config' : projectPath(project, project.configFile)
  return detectInputs(inputs, project.root).map((input) => {
    if (input.kind !== 'message' && input.kind !== 'stdin') return input
    const shown = input.kind === 'message' ? input.text : '-'
    throw new ConfigError({
      code: 'bad_input',
      message: `"${shown}" in \`inputs\` is not a file, folder or generator`,
      file,
      hint: 'write messages in a case file',
    })
  })
}
