import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { ConfigError, messageOf } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Environment } from './environment.ts'
import { splitCommand } from './split-command.ts'

const shellWord = /^(?:\||\|\||&|&&|;|>|>>|<|2>&1)$/

interface Where {
  cwd: string
  /** What the command is started with. */
  env: Environment
  /** What the command is called in messages. */
  told: string
}

/** Splits a command into words and checks that it exists. A wrong command is the user's mistake, reported before anything runs. */
export function findCommand(line: string, where: Where): string[] {
  let words: string[]
  try {
    words = splitCommand(line)
  } catch (error) {
    throw badCommand(where, messageOf(error))
  }
  const [command] = words
  if (command === undefined || command === '') throw badCommand(where, 'there is no command')
  if (!isThere(command, where)) throw badCommand(where, missing(command), hintFor(words, where.cwd))
  return words
}

/** The same for a command whose arguments are given apart. */
export function checkCommand(command: string, where: Where & { file: string }): void {
  if (isThere(command, where)) return
  const hint = /\s/.test(command)
    ? 'words after the command go into `arguments`'
    : hintFor([command], where.cwd)
  throw badCommand(where, missing(command), hint)
}

function badCommand({ told, file }: Where & { file?: string }, fault: string, hint?: string): ConfigError {
  return new ConfigError({ code: 'bad_command', message: `${told}: ${fault}`, ...defined({ file, hint }) })
}

function missing(command: string): string {
  return `command "${command}" not found`
}

function hintFor(words: string[], cwd: string): string {
  return words.some((word) => shellWord.test(word))
    ? `commands are not run by a shell: write sh -c '…'`
    : `neither on the PATH nor in ${cwd}`
}

function isThere(command: string, { cwd, env }: Where): boolean {
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
