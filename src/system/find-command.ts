import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { ConfigError, errorMessage } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Environment } from './environment.ts'
import { splitCommand } from './split-command.ts'

const shellWord = /^(?:\||\|\||&|&&|;|>|>>|<|2>&1)$/

interface CommandPlace {
  cwd: string
  /** What the command is started with. */
  env: Environment
  /** What the command is called in messages. */
  label: string
}

/** Splits a command into words and checks that it exists. A wrong command is the user's mistake, reported before anything runs. */
export function resolveCommand(line: string, where: CommandPlace): string[] {
  let words: string[]
  try {
    words = splitCommand(line)
  } catch (error) {
    throw badCommandError(where, errorMessage(error))
  }
  const [command] = words
  if (command === undefined || command === '') throw badCommandError(where, 'there is no command')
  if (!commandExists(command, where))
    throw badCommandError(where, describeMissing(command), missingCommandHint(words, where.cwd))
  return words
}

/** The same for a command whose arguments are given apart. */
export function checkCommand(command: string, where: CommandPlace & { file: string }): void {
  if (commandExists(command, where)) return
  const hint = /\s/.test(command)
    ? 'words after the command go into `arguments`'
    : missingCommandHint([command], where.cwd)
  throw badCommandError(where, describeMissing(command), hint)
}

function badCommandError(
  { label, file }: CommandPlace & { file?: string },
  fault: string,
  hint?: string,
): ConfigError {
  return new ConfigError({ code: 'bad_command', message: `${label}: ${fault}`, ...defined({ file, hint }) })
}

function describeMissing(command: string): string {
  return `command "${command}" not found`
}

function missingCommandHint(words: string[], cwd: string): string {
  return words.some((word) => shellWord.test(word))
    ? `commands are not run by a shell: write sh -c '…'`
    : `neither on the PATH nor in ${cwd}`
}

function commandExists(command: string, { cwd, env }: CommandPlace): boolean {
  // Windows looks for commands in ways of its own; there the start tells.
  if (process.platform === 'win32') return true
  if (command.includes('/')) return isExecutable(resolve(cwd, command))
  const folders = (env.PATH ?? '').split(delimiter)
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
