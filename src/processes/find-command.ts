import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { ConfigError, messageOf } from '../errors.ts'
import { splitCommand } from './split-command.ts'

const shellWord = /^(?:\||\|\||&|&&|;|>|>>|<|2>&1)$/

/** The words of a command that is there. A wrong one is the user's mistake, told before anything runs. */
export function findCommand(line: string, where: { cwd: string; told: string }): string[] {
  const refuse = (message: string, hint?: string) =>
    new ConfigError({
      code: 'bad_command',
      message: `${where.told}: ${message}`,
      ...(hint === undefined ? {} : { hint }),
    })
  let words: string[]
  try {
    words = splitCommand(line)
  } catch (error) {
    throw refuse(messageOf(error))
  }
  const [command] = words
  if (command === undefined || command === '') throw refuse('there is no command')
  if (!isThere(command, where.cwd)) throw refuse(`no command "${command}" here`, hintFor(words, where.cwd))
  return words
}

function hintFor(words: string[], cwd: string): string {
  return words.some((word) => shellWord.test(word))
    ? `it is not run by a shell: write sh -c '…'`
    : `neither on the PATH nor in ${cwd}`
}

function isThere(command: string, cwd: string): boolean {
  // Windows looks for commands in ways of its own; there the start tells.
  if (process.platform === 'win32') return true
  if (command.includes('/')) return isExecutable(resolve(cwd, command))
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => isExecutable(join(folder, command)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
