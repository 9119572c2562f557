import { accessSync, constants } from 'node:fs'
import { posix } from 'node:path'
import { ConfigError, errorMessage, InfrastructureError, type Problem } from '../../errors.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import { hasResults } from '../../results/journal.ts'
import { isRecording } from '../../results/written-by-run.ts'
import type { AuthoredCase } from '../case-schema.ts'
import { type CaseSettings, compileCase } from '../compile.ts'
import { type CaseEntry, type CaseSource, type ConversationCase, caseEntry, hashCase } from '../entry.ts'
import { isInherited, noDefaults, readFileDefaults, withFileDefaults } from '../file-defaults.ts'
import {
  type CaseDocument,
  type CaseFormat,
  type FormatProblem,
  isFormatProblem,
} from '../formats/case-format.ts'
import { utf8Problem } from '../formats/utf8-problem.ts'
import type { CaseUses } from '../uses.ts'
import { type CaseSurroundings, locateIssue, validateCase } from '../validate.ts'
import { type FileStamp, fileStamp, PartReader, Spool } from './spool.ts'

export interface CaseFileOptions {
  path: string
  /** The path for messages and keys. */
  file: string
  format: CaseFormat
  surroundings: CaseSurroundings
  settings: CaseSettings
  /** What the surroundings note. */
  uses?: CaseUses
}

export interface CaseFileSource extends CaseSource {
  loadChanged(entry: CaseEntry, change: (authored: AuthoredCase) => AuthoredCase): ConversationCase
  /** A case as it was written, with the defaults of the file. */
  read(entry: CaseEntry): unknown
}

/** The cases of one file in any format: validated and indexed first, each loaded when it is played. */
export function caseFileSource(options: CaseFileOptions): CaseFileSource {
  return new CaseFile(options)
}

class CaseFile implements CaseFileSource {
  readonly label: string
  readonly file: string
  readonly #options: CaseFileOptions
  #cases: FileCases
  #spool: Spool | undefined
  #bodies: PartReader | undefined
  /** The file as it was when its cases were validated. */
  #validated: FileStamp | undefined

  constructor(options: CaseFileOptions) {
    this.label = options.file
    this.file = options.path
    this.#options = options
    this.#cases = new FileCases(options.file, options.surroundings)
  }

  async *index(): AsyncGenerator<CaseEntry | Problem> {
    const { path, file, format, surroundings } = this.#options
    const unreadable =
      checkReadable(path) ?? checkNoResults(path) ?? format.tooLarge?.(path) ?? (await utf8Problem(path))
    if (unreadable) {
      yield { ...unreadable, file }
      return
    }
    this.#cases = new FileCases(file, surroundings)
    this.#validated = fileStamp(path)
    let isFirst = true
    try {
      for await (const document of format.documents(path)) {
        for (const found of this.#readDocument(document, isFirst)) yield found
        isFirst = false
      }
    } catch (error) {
      yield { ...asTooLarge(error), file }
    }
    this.#cases.forgetIds()
  }

  /** The entry of a case, or what is wrong with it; nothing for the defaults of the file. */
  #readDocument(document: CaseDocument | FormatProblem, isFirst: boolean): (CaseEntry | Problem)[] {
    const { file } = this.#options
    if (isFormatProblem(document)) {
      const { beside, ...problem } = document
      return [{ ...problem, file: documentFile(file, beside) }]
    }
    const { uses } = this.#options
    uses?.clear()
    const inDefaults = isFirst ? this.#cases.readDefaults(document) : undefined
    const { authored, problems, lacks } = inDefaults ?? this.#cases.readCase(document)
    if (authored === undefined) return problems
    const hash = hashCase(this.#cases.mergeDefaults(document.value))
    const at = { bytes: document.bytes ?? this.#keep(document.value) }
    const entry = caseEntry(authored, hash, { file, line: document.line, at })
    if (lacks !== undefined) entry.lacks = lacks
    uses?.addTo(entry)
    return problems.length === 0 ? [entry] : [...problems, entry]
  }

  #keep(value: unknown): [number, number] {
    this.#spool ??= new Spool()
    return this.#spool.write(value)
  }

  load(entry: CaseEntry): ConversationCase {
    return compileCase(this.read(entry) as AuthoredCase, this.#options.settings)
  }

  loadChanged(entry: CaseEntry, change: (authored: AuthoredCase) => AuthoredCase): ConversationCase {
    const { surroundings, settings, file } = this.#options
    const validated = validateCase(change(this.read(entry) as AuthoredCase), surroundings)
    // What the case lacked before it was changed was found when it was selected.
    if (validated.authored !== undefined) return compileCase(validated.authored, settings)
    if (validated.ok) throw new Error(`${entry.id} is valid, and is not there`)
    const { id, line } = entry
    throw new ConfigError(validated.issues.map(({ code, message }) => ({ code, message, file, line, id })))
  }

  read(entry: CaseEntry): unknown {
    const { path, format } = this.#options
    this.#bodies ??= new PartReader(this.#spool?.path ?? path)
    const body = readBody(this.#bodies, entry)
    const authored = this.#cases.mergeDefaults(this.#spool ? parseJson(body) : format.parse(body))
    // A case that is the same as in the first pass is still valid, whatever else has changed in its file.
    const isKnown = this.#spool !== undefined || this.#bodies.isUnchanged(this.#validated)
    if (!isKnown && hashCase(authored) !== entry.hash)
      throw new InfrastructureError('input_changed', `${entry.file} was changed during the run`)
    return authored
  }

  async close(): Promise<void> {
    this.#bodies?.close()
    this.#spool?.close()
  }
}

/** A line or an object that is too large to read is a problem like any other. Other errors are thrown. */
function asTooLarge(error: unknown): Problem {
  const problem = error instanceof ConfigError ? error.problems[0] : undefined
  if (problem?.code !== 'too_large') throw error
  const { code, message, line = 1, column = 1 } = problem
  return { code, message, line, column }
}

function checkReadable(path: string): Problem | undefined {
  try {
    accessSync(path, constants.R_OK)
    return undefined
  } catch (error) {
    return { code: 'unreadable', message: errorMessage(error) }
  }
}

function checkNoResults(path: string): Problem | undefined {
  if (isRecording(path))
    return {
      code: 'not_cases',
      message: 'a recording, not cases',
      hint: 'viva test --replay answers from it',
    }
  if (!hasResults(path)) return undefined
  return {
    code: 'not_cases',
    message: 'a results file, not cases',
    hint: 'viva report and viva compare read it',
  }
}

interface ReadResult {
  /** Missing in documents that are no valid case. */
  authored?: AuthoredCase
  problems: Problem[]
  /** Missing connectors, judges or simulators. */
  lacks?: Problem[]
}

/** Validates the documents of one file: they share its defaults, and no two have the same id. */
class FileCases {
  readonly #file: string
  readonly #surroundings: CaseSurroundings
  readonly #lineOfId = new Map<string, number>()
  #defaults = noDefaults
  #defaultsDocument: CaseDocument | undefined
  /** Problems of the defaults are reported once, not for every case. */
  #reported = new Set<string>()

  constructor(file: string, surroundings: CaseSurroundings) {
    this.#file = file
    this.#surroundings = surroundings
  }

  /** All documents have been read. */
  forgetIds(): void {
    this.#lineOfId.clear()
  }

  /** Undefined if the document is a case. */
  readDefaults(document: CaseDocument): ReadResult | undefined {
    const found = readFileDefaults(document.value)
    if (found === undefined) return undefined
    this.#defaults = found.defaults
    this.#defaultsDocument = document
    this.#reported = new Set(found.issues.map(({ message }) => message))
    return { problems: found.issues.map((issue) => problemAt(document, issue, this.#file, undefined)) }
  }

  mergeDefaults(value: unknown): unknown {
    return isRecord(value) ? withFileDefaults(value, this.#defaults) : value
  }

  readCase(document: CaseDocument): ReadResult {
    const { value } = document
    const validated = validateCase(this.mergeDefaults(value), this.#surroundings)
    const issues = [...(validated.ok ? [] : validated.issues), ...document.issues]
    const id = isRecord(value) && typeof value.id === 'string' ? value.id : undefined
    const earlier = id === undefined ? undefined : this.#lineOfId.get(id)
    if (earlier !== undefined) {
      const message = `duplicate id "${id}", first used on line ${earlier}`
      issues.unshift({ code: 'duplicate_id', path: ['id'], message })
    } else if (id !== undefined) this.#lineOfId.set(id, document.line)
    if (validated.ok && issues.length === 0) return { authored: validated.authored, problems: [] }
    const onlyLacks = !validated.ok && issues.length === validated.issues.length && validated.authored
    if (onlyLacks) {
      const lacks = issues.map((issue) => problemAt(document, issue, this.#file, id))
      return { authored: onlyLacks, problems: [], lacks }
    }
    return { problems: issues.flatMap((issue) => this.#locate(issue, document, id)) }
  }

  /** Nothing, for a problem of the defaults that was reported before. */
  #locate(issue: CaseIssue, document: CaseDocument, id: string | undefined): Problem | [] {
    const inherited = this.#defaultsDocument
    if (inherited === undefined || !isInherited(issue, document.value, this.#defaults))
      return problemAt(document, issue, this.#file, id)
    if (this.#reported.has(issue.message)) return []
    this.#reported.add(issue.message)
    return problemAt(inherited, { ...issue, path: ['defaults', ...issue.path] }, this.#file, undefined)
  }
}

type CaseIssue = CaseDocument['issues'][number]

function problemAt(document: CaseDocument, issue: CaseIssue, file: string, id: string | undefined): Problem {
  return locateIssue(issue, documentFile(file, document.beside), id, document.position(issue.path, issue.key))
}

function documentFile(file: string, beside: string | undefined): string {
  return beside === undefined ? file : posix.join(posix.dirname(file), beside)
}

function readBody(bodies: PartReader, entry: CaseEntry): string {
  if (!('bytes' in entry.at)) throw new Error(`${entry.id} is not in a file`)
  return bodies.read(entry.at.bytes)
}
