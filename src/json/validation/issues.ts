import type { z } from 'zod'
import { findNearest } from '../../text/nearest.ts'
import { shorten } from '../../text/shorten.ts'
import { defined } from '../defined.ts'
import { isRecord } from '../json.ts'
import { keyHint } from './key-hint.ts'
import { findSchemas, readLiterals } from './schema-tree.ts'

/** A mistake in a value, without its place in a file, which is not known yet. */
export interface Issue {
  code: string
  path: (string | number)[]
  /** The unknown key, if there is one. */
  key?: string
  message: string
  hint?: string
}

const theCase = 'the case'

type ZodIssue = z.core.$ZodIssue

/** The name of a value in messages, and its schema. */
interface Described {
  whole: string
  schema: z.ZodType
}

/** Rewrites Zod's issues for users. `schema` supplies the known keys for hints, `whole` names the value as a whole. */
export function describeIssues(error: z.ZodError, schema: z.ZodType, whole = theCase): Issue[] {
  return error.issues.flatMap((issue) => translate(issue, [], { whole, schema }))
}

function translate(issue: ZodIssue, parents: (string | number)[], described: Described): Issue[] {
  const path = [...parents, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  const place = describePath(path, described.whole)
  if (issue.code === 'invalid_union') return translateUnion(issue, path, described)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(path, key, issue.input, described))
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return [missingKey(path, place)]
    // A message of the schema itself comes first.
    const message = issue.message.startsWith('Invalid')
      ? `${place} must be ${withArticle(issue.expected)}, got ${typeName(issue.input)}`
      : `${place}: ${issue.message}`
    return [{ code: 'wrong_type', path, message }]
  }
  if (issue.code === 'invalid_value') return [wrongChoice(path, place, issue.input, issue.values.map(String))]
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    return [{ code: 'wrong_value', path, message: `${place} must ${sizeRule(issue)}` }]
  }
  if (issue.code === 'invalid_format' && issue.format === 'date') {
    const message = `${place} is ${formatInput(issue.input)}, must be a date like "2026-12-31"`
    return [{ code: 'wrong_value', path, message }]
  }
  return [{ code: 'wrong_value', path, message: `${place}: ${issue.message}` }]
}

function missingKey(path: (string | number)[], place: string): Issue {
  return { code: 'missing_key', path, message: `${place} is missing` }
}

function wrongChoice(path: (string | number)[], place: string, given: unknown, known: string[]): Issue {
  const guess = findNearest(String(given), known)
  return {
    code: 'wrong_value',
    path,
    message: `${place} is ${formatInput(given)}, must be one of ${known.join(', ')}`,
    ...defined({ hint: guess && `did you mean "${guess}"?` }),
  }
}

function sizeRule(issue: Extract<ZodIssue, { code: 'too_small' | 'too_big' }>): string {
  const limit = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`
  if (issue.origin !== 'array' && issue.origin !== 'string') return `be ${limit}`
  if (limit === 'at least 1') return 'not be empty'
  return `have ${limit} ${issue.origin === 'array' ? 'items' : 'characters'}`
}

/** Reports the form that matches best: the branch whose issues are deepest, or fewest. */
function translateUnion(
  issue: Extract<ZodIssue, { code: 'invalid_union' }>,
  path: (string | number)[],
  described: Described,
): Issue[] {
  const discriminator =
    issue.errors.length === 0 ? wrongDiscriminator(issue, path, described.schema) : undefined
  if (discriminator) return [discriminator]
  const branches = issue.errors.map((branch) => branch.flatMap((inner) => translate(inner, path, described)))
  const depth = (issues: Issue[]) =>
    Math.max(...issues.map((inner) => inner.path.length + (inner.key ? 1 : 0)))
  const worse = (a: Issue[], b: Issue[]) => depth(b) - depth(a) || a.length - b.length
  const [best, ...others] = branches.filter((branch) => branch.length > 0).sort(worse)
  const place = describePath(path, described.whole)
  if (best === undefined) return [{ code: 'wrong_value', path, message: `${place}: ${issue.message}` }]
  const equals = [best, ...others.filter((other) => worse(best, other) === 0)]
  if (depth(best) > path.length) return oneOfMissing(equals, path, place) ?? best
  if (issue.input === undefined) return [missingKey(path, place)]
  const expected = branches
    .flat()
    .map((inner) => inner.message.replace(/^.* must be /, '').replace(/, got .*$/, ''))
  const message = `${place} must be ${[...new Set(expected)].join(' or ')}, got ${typeName(issue.input)}`
  return [{ code: 'wrong_type', path, message }]
}

/** Several forms match equally badly, each of which lacks a key of its own: any of these keys would do. */
function oneOfMissing(forms: Issue[][], path: (string | number)[], place: string): Issue[] | undefined {
  const isOwnGap = (issue: Issue) => issue.code === 'missing_key' && issue.path.length === path.length + 1
  const gaps = forms.map((form) => form.filter(isOwnGap))
  if (forms.length < 2 || gaps.some(({ length }) => length !== 1)) return undefined
  const keys = gaps.map(([gap]) => JSON.stringify(gap?.path.at(-1)))
  const message = `${place} needs ${[...new Set(keys)].join(' or ')}`
  return [{ code: 'missing_key', path, message }, ...(forms[0] ?? []).filter((issue) => !isOwnGap(issue))]
}

/** No form has that value in its discriminator. A message of the schema itself comes first. */
function wrongDiscriminator(
  issue: Extract<ZodIssue, { code: 'invalid_union' }>,
  path: (string | number)[],
  schema: z.ZodType,
): Issue | undefined {
  const { discriminator: key } = issue as { discriminator?: string }
  if (key === undefined || !issue.message.startsWith('Invalid')) return undefined
  const given = isRecord(issue.input) ? issue.input[key] : undefined
  if (given === undefined) return missingKey(path, describePath(path))
  // The path ends with the key.
  const known = findSchemas(schema, path).flatMap(readLiterals).map(String)
  return wrongChoice(path, describePath(path), given, known)
}

function unknownKey(
  path: (string | number)[],
  key: string,
  object: unknown,
  { schema, whole }: Described,
): Issue {
  return {
    code: 'unknown_key',
    path,
    key,
    message: `unknown key "${key}"${path.length === 0 ? '' : ` in ${describePath(path)}`}`,
    ...defined({ hint: keyHint({ key, path, object, schema, whole }) }),
  }
}

/** `turns[1].assert` */
export function describePath(path: (string | number)[], whole = theCase): string {
  if (path.length === 0) return whole
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}

/** A value in a message, shortened if necessary. */
function formatInput(value: unknown): string {
  const isText = typeof value === 'string'
  return isText ? JSON.stringify(shorten(value, 80)) : shorten(JSON.stringify(value) ?? 'undefined', 100)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : withArticle(typeof value)
}

function withArticle(noun: string): string {
  const name = noun === 'record' ? 'object' : noun === 'int' ? 'whole number' : noun
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`
}
