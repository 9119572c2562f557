import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { extname, relative, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { findTestFile } from '../../project/app/script-files.ts'
import { findAppRoot, findPackage } from '../../project/project.ts'
import type { Data } from '../../results/transcript/message.ts'
import { isTestFile } from '../../scripts/protocol/test-file-name.ts'
import { editDistance } from '../../text/edit-distance.ts'
import { caseExtensions } from '../formats/formats.ts'
import type { AgentLimits } from '../validate.ts'

/** `shown` is the name that the user gave. */
export type DetectedInput = { shown: string } & (
  | { kind: 'message'; text: string }
  | { kind: 'cases'; path: string }
  | { kind: 'folder'; path: string }
  /** A module with a suite. */
  | { kind: 'suite'; path: string }
  /** A file of script tests. */
  | { kind: 'tests'; path: string }
  /** A script or an agent that generates cases. */
  | { kind: 'generator'; reference: string; params: Data }
  | { kind: 'stdin' }
  /** No input was given: a person writes the first message. */
  | { kind: 'person' }
  /** One case that a command makes of the file at `path`, for the agent under test. Its files are looked up in `folder`. */
  | { kind: 'given'; path: string; folder: string; write(agent: AgentLimits): unknown }
)

/** Detects the kind of an `-i` value. A word that looks like a path but does not exist is an error, not a message. */
export function detectInput(input: string, cwd: string): DetectedInput {
  if (input.trim() === '') throw new ConfigError({ code: 'empty_input', message: 'the input is empty' })
  if (input.startsWith('scripts.')) return { kind: 'tests', path: locateTestFile(input, cwd), shown: input }
  if (/^(?:scripts|agents):/.test(input)) return { kind: 'generator', ...parseGenerator(input), shown: input }
  if (input === '-') return { kind: 'stdin', shown: 'stdin' }

  const path = resolve(cwd, input)
  const found = tryStat(path)
  if (found?.isDirectory()) return { kind: 'folder', path, shown: input }
  if (found && !found.isFile()) {
    throw new ConfigError({ code: 'bad_input', message: `${input} is neither a file nor a folder` })
  }
  if (found) {
    const kind = isTestFile(path) ? 'tests' : isSuiteFile(path) ? 'suite' : 'cases'
    return { kind, path: realpathSync(path), shown: input }
  }
  if (looksLikePath(input)) {
    const hint = 'it looks like a path; any other text is sent as a message'
    throw new ConfigError({ code: 'no_such_file', message: `no such file or folder: ${input}`, hint })
  }
  const meant = misspeltPath(input, cwd)
  if (meant !== undefined) {
    const hint = `did you mean ${meant}? A message that looks like a file name needs a space in it`
    throw new ConfigError({ code: 'no_such_file', message: `no such file or folder: ${input}`, hint })
  }
  return { kind: 'message', text: input, shown: 'direct message' }
}

/** `booking.suite.ts` */
export function isSuiteFile(path: string): boolean {
  return /\.suite\.m?[jt]s$/.test(path)
}

/** Undefined for a path that does not exist or is invalid. */
function tryStat(path: string): Stats | undefined {
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

/** The file or folder that a single word was probably meant to be: a typing error must not become a green run. */
function misspeltPath(input: string, cwd: string): string | undefined {
  if (/\s/.test(input) || input.length < 4) return undefined
  const isNear = (name: string) => editDistance(name.toLowerCase(), input.toLowerCase()) <= 1
  const here = readdirSync(cwd).find((name) => !name.startsWith('.') && isNear(name))
  if (here !== undefined) return here
  const parts = input.split('.').slice(1)
  const known = [...caseExtensions].map((extension) => extension.slice(1)).filter(({ length }) => length >= 4)
  const extension = known.find((name) => parts.some((part) => editDistance(part, name) <= 1))
  return extension && `a .${extension} file`
}

function locateTestFile(id: string, cwd: string): string {
  const { file, tried } = findTestFile(id, {
    cwd,
    ...defined({ appRoot: findAppRoot(cwd), packageFolder: findPackage(cwd) }),
  })
  if (file !== undefined) return realpathSync(file)
  const message = `no test file for ${id}: there is no ${tried.map((path) => relative(cwd, path)).join(', no ')}`
  throw new ConfigError({
    code: 'no_such_file',
    message: tried.length === 0 ? `${id} names no agent: write scripts.<agent>.<script>` : message,
    hint: 'scripts.expense.setup is assistants/expense/src/setup_test.ts',
  })
}

/** `scripts:tests.generate?count=10&focus=edge-cases` */
function parseGenerator(input: string): { reference: string; params: Data } {
  const [reference = '', query = ''] = input.split(/\?(.*)/s)
  const params = [...new URLSearchParams(query)].map(([name, value]) => [name, parseParameter(value)])
  return { reference, params: Object.fromEntries(params) }
}

function parseParameter(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  // `01234` and very long digits are names, not numbers.
  const isNumber =
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
  return isNumber ? Number(value) : value
}
