import { detectInput } from '../../cases/sources/detect.ts'
import { expandGlob } from '../../cases/sources/glob.ts'
import { ConfigError } from '../../errors.ts'
import { isCi } from '../../system/environment.ts'
import type { Shell } from '../../system/shell.ts'
import type { GivenFlags } from '../flags.ts'

/** Where nobody can press a key, a command that waits would wait for ever. */
export function refuseWatch(given: GivenFlags, { cwd, env, stdin, stdout }: Shell): void {
  const refuse = (message: string, hint: string) => new ConfigError({ code: 'bad_flag', message, hint })
  if (isCi(env))
    throw refuse('--watch waits for changes, and would never end in CI', 'leave it out; CI is set')
  if (stdin.isTTY !== true || stdout.isTTY !== true)
    throw refuse('--watch needs a terminal for its keys', 'leave it out, or run it without pipes')
  for (const input of [given.input ?? []].flat().map(String)) {
    if (expandGlob(input, cwd) !== undefined || detectInput(input, cwd).kind !== 'message') continue
    throw refuse('--watch cannot be combined with a message', 'write it to a case file')
  }
}
