import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { AuthoredCase } from '../cases/case-schema.ts'
import { type CaseDefaults, compileCase } from '../cases/compile.ts'
import { type CaseEntry, type CaseSource, entryOf, hashOf } from '../cases/entry.ts'
import { type AgentLimits, locate, validateCase } from '../cases/validate.ts'
import { defined } from '../defined.ts'
import { messageOf, type Problem, WorldError } from '../errors.ts'
import type { Issue } from '../issues.ts'
import { parseJson } from '../json.ts'
import { describeSyntaxError } from '../json-syntax.ts'
import { cleanDocument, type JsonlDocument, readDocuments } from './jsonl-documents.ts'

/** Cases are written by hand; deeper than this is a mistake or an attack. */
const deepestCase = 200

export interface JsonlOptions {
  path: string
  /** As problems and keys name it. */
  file: string
  limits: AgentLimits
  defaults: CaseDefaults
}

export function jsonlSource(options: JsonlOptions): CaseSource {
  const { path, file, limits, defaults } = options
  return {
    label: file,
    file: path,
    async *index() {
      const unreadable = readProblem(path, file)
      if (unreadable) {
        yield unreadable
        return
      }
      const lineOfId = new Map<string, number>()
      for await (const document of readDocuments(path)) {
        const { id, ...found } = readCase(document, file, limits)
        const earlier = id === undefined ? undefined : lineOfId.get(id)
        if (id !== undefined && earlier === undefined) lineOfId.set(id, document.line)
        if (earlier !== undefined) {
          const message = `duplicate id "${id}", first used on line ${earlier}`
          yield locate(
            { code: 'duplicate_id', path: ['id'], message },
            file,
            id,
            positionIn(document, ['id']),
          )
        }
        if ('problems' in found) yield* found.problems
        else if (earlier === undefined) {
          yield entryOf(found.authored, hashOf(found.value), {
            file,
            line: document.line,
            at: { bytes: document.bytes },
          })
        }
      }
    },
    async load(entry) {
      return compileCase(loadBody(path, entry), defaults)
    },
  }
}

function readProblem(path: string, file: string): Problem | undefined {
  try {
    accessSync(path, constants.R_OK)
    return undefined
  } catch (error) {
    return { code: 'unreadable', message: messageOf(error), file }
  }
}

type Found = { id?: string } & ({ authored: AuthoredCase; value: unknown } | { problems: Problem[] })

function readCase(document: JsonlDocument, file: string, limits: AgentLimits): Found {
  if (document.depth > deepestCase) {
    const message = `nested deeper than ${deepestCase} levels`
    return { problems: [{ code: 'too_deep', message, file, line: document.line, column: 1 }] }
  }
  let value: unknown
  try {
    value = JSON.parse(document.text)
  } catch (error) {
    return { problems: [syntaxProblem(document, file, error)] }
  }
  const id = idOf(value)
  const validated = validateCase(value, limits)
  const issues = validated.ok ? [] : validated.issues
  if (document.colons > countKeys(value)) issues.push(...duplicateKeys(document))
  if (validated.ok && issues.length === 0)
    return { id: validated.authored.id, authored: validated.authored, value }
  return {
    ...defined({ id }),
    problems: issues.map((issue) => locate(issue, file, id, positionIn(document, issue.path, issue.key))),
  }
}

function syntaxProblem(document: JsonlDocument, file: string, error: unknown): Problem {
  const errors: ParseError[] = []
  parseTree(document.text, errors, { disallowComments: true })
  const first = errors[0]
  const what = document.unclosed
    ? 'the object is never closed'
    : first === undefined
      ? (error as Error).message
      : describeSyntaxError(first)
  const offset = document.unclosed ? 0 : (first?.offset ?? 0)
  return {
    code: 'invalid_json',
    message: `invalid JSON: ${what}`,
    file,
    ...positionOfOffset(document, offset),
  }
}

function idOf(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'string' ? id : undefined
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countKeys(item), 0)
  const values = Object.values(value)
  return values.reduce((sum: number, item) => sum + countKeys(item), values.length)
}

/** JSON.parse keeps the last of two equal keys and says nothing: a check written under the first would be lost. */
function duplicateKeys(document: JsonlDocument): Issue[] {
  const issues: Issue[] = []
  const visit = (node: Node, path: (string | number)[]) => {
    const seen = new Set<string>()
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'object') {
        const key = String(child.children?.[0]?.value)
        if (seen.has(key))
          issues.push({ code: 'duplicate_key', path, key, message: `key "${key}" stands twice` })
        seen.add(key)
        if (child.children?.[1]) visit(child.children[1], [...path, key])
      } else visit(child, [...path, index])
    }
  }
  const root = parseTree(document.text)
  if (root) visit(root, [])
  return issues
}

/** The place of a value, or of the nearest thing around it that exists. */
function positionIn(
  document: JsonlDocument,
  path: (string | number)[],
  key?: string,
): { line: number; column: number } {
  const root = parseTree(document.text)
  if (root === undefined) return positionOfOffset(document, 0)
  const wanted = key === undefined ? path : [...path, key]
  for (let length = wanted.length; length > 0; length--) {
    const node = findNodeAtLocation(root, wanted.slice(0, length))
    if (node)
      return positionOfOffset(document, (node.parent?.type === 'property' ? node.parent : node).offset)
  }
  return positionOfOffset(document, root.offset)
}

function positionOfOffset(document: JsonlDocument, offset: number): { line: number; column: number } {
  const before = document.text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: document.line + before.split('\n').length - 1, column: offset - lineStart + 1 }
}

/** The file was validated in the first pass; a body that changed since is caught by its hash. */
function loadBody(path: string, entry: CaseEntry): AuthoredCase {
  if (!('bytes' in entry.at)) throw new Error(`${entry.id} is not in a file`)
  const value = parseJson(cleanDocument(readBytes(path, entry.at.bytes)))
  if (value === undefined || hashOf(value) !== entry.hash) {
    throw new WorldError('input_changed', `${entry.file} was changed while the run was going on`)
  }
  // The same hash as in the first pass: what was valid then is valid now.
  return value as AuthoredCase
}

/** Synchronous on purpose: a few microseconds here, a trip through the thread pool otherwise. */
function readBytes(path: string, [start, end]: [number, number]): string {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(end - start)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, start))
  } finally {
    closeSync(descriptor)
  }
}
