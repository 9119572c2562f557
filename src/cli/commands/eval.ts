import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { Command } from '../command.ts'
import { runTest, test, withInputs } from './test.ts'

/** `viva eval`: `viva test` with the agent first. */
export const evaluate: Command = {
  name: 'eval',
  about: 'The same as viva test, with the agent first: viva eval <agent> [message | @cases.jsonl]',
  summary: 'The same, with the agent first',
  group: 'Test',
  examples: [
    ['viva eval ./agent.ts "Hello"', 'send one message'],
    ['viva eval expense @tests/inputs.jsonl', 'run the cases of a file'],
  ],
  arguments: [
    ['<agent>', 'agent to test'],
    ['[input]', 'a message, or @ followed by a case file'],
  ],
  flags: test.flags,
  run(given, shell, agent = '', input) {
    const inputs = input === undefined ? [] : [fileOrMessage(input, shell.cwd)]
    return runTest(withInputs({ ...given, name: [agent] }, inputs), shell)
  },
}

/** `@cases.jsonl` is a file; `@ada, how are you?` is a message. */
function fileOrMessage(input: string, cwd: string): string {
  if (!/^@\S+$/.test(input)) return input
  const path = input.slice(1)
  if (existsSync(resolve(cwd, path))) return path
  throw new ConfigError({ code: 'no_such_file', message: `${input}: no such file or folder` })
}
