import { type Stats, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { caseExtensions } from './formats.ts'

/** `shown` is how the user named it. */
export type DetectedInput = { shown: string } & (
  | { kind: 'message'; text: string }
  | { kind: 'cases'; path: string }
  | { kind: 'folder'; path: string }
  | { kind: 'stdin' }
  /** Nothing was given: a person begins. */
  | { kind: 'person' }
)

/** What the user meant by `-i`. A word that looks like a path but is none is a mistake, not a message. */
export function detectInput(input: string, cwd: string): DetectedInput {
  if (input.trim() === '') throw new ConfigError({ code: 'empty_input', message: 'the input is empty' })
  if (input.startsWith('scripts.')) throw notYet(input, 'script tests are')
  if (input.startsWith('agents:') || input.startsWith('scripts:')) throw notYet(input, 'generators are')
  if (input === '-') return { kind: 'stdin', shown: 'stdin' }

  const path = resolve(cwd, input)
  const found = statOf(path)
  if (found?.isDirectory()) return { kind: 'folder', path, shown: input }
  if (found && !found.isFile()) {
    throw new ConfigError({ code: 'bad_input', message: `${input} is neither a file nor a folder` })
  }
  if (found) {
    if (/_test\.[cm]?[jt]s$/.test(path)) throw notYet(input, 'script tests are')
    return { kind: 'cases', path, shown: input }
  }
  if (looksLikePath(input)) {
    throw new ConfigError({
      code: 'no_such_file',
      message: `no such file or folder: ${input}`,
      hint: 'it looks like a path; what does not is sent as a message',
    })
  }
  return { kind: 'message', text: input, shown: 'direct message' }
}

/** Undefined for what is there not, or cannot even be a name. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function looksLikePath(input: string): boolean {
  if (/\s/.test(input) || input.includes('://')) return false
  return /[\\/]/.test(input) || caseExtensions.has(extname(input).toLowerCase())
}

function notYet(input: string, what: string): ConfigError {
  return new ConfigError({ code: 'not_yet', message: `${input}: ${what} not supported yet` })
}
