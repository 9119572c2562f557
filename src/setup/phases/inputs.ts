import { type DetectedInput, detectInput } from '../../cases/sources/detect.ts'
import { expandGlob } from '../../cases/sources/glob.ts'
import { ConfigError } from '../../errors.ts'
import type { PlayStart } from '../command-start.ts'

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
