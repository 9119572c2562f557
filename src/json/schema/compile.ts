import { editDistance } from '../../text/edit-distance.ts'
import { isRecord } from '../json.ts'
import { arrayKeywords, unevaluatedArrayKeywords } from './array-keywords.ts'
import {
  type Evaluate,
  type Evaluation,
  fault,
  type Keyword,
  type KeywordContext,
  type SchemaFault,
  type SchemaProblem,
  type Subschema,
} from './keyword.ts'
import { logicKeywords } from './logic-keywords.ts'
import { objectKeywords, unevaluatedObjectKeywords } from './object-keywords.ts'
import { indexReferences, type References } from './references.ts'
import { valueKeywords } from './value-keywords.ts'

/** A compiled schema: its own problems, and a function that finds the faults of data. */
export interface CompiledSchema {
  problems: SchemaProblem[]
  faults(data: unknown): SchemaFault[]
}

/** In the order of evaluation. */
const keywords = new Map<string, Keyword>(
  [
    valueKeywords,
    objectKeywords,
    arrayKeywords,
    logicKeywords,
    unevaluatedObjectKeywords,
    unevaluatedArrayKeywords,
  ].flatMap((group) => Object.entries(group)),
)

/** Annotations and names: they are known but have no effect. */
const annotations = new Set([
  ...['$schema', '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary', '$comment'],
  ...['$defs', 'definitions', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly'],
  ...['writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  // Keywords of OpenAPI, which come with schemas that are copied from there.
  ...['id', 'example', 'nullable', 'discriminator', 'xml', 'externalDocs'],
])

/** Far below what the stack allows. Only circular references or very deep data reach it. */
const deepestEvaluation = 1500

/**
 * JSON Schema, draft 2020-12 plus what is different in draft-07 (`definitions`, `dependencies`, lists in `items`).
 * References must stay inside the schema. Nothing of a schema is run as code.
 * Our own code: @cfworker/json-schema 4.1.6 passes about as many official tests (898 of draft-07, 1,217 of 2020-12), but
 * hostile texts hang its RegExp, circular references overflow its stack, and it accepts wrong and misspelt schemas.
 */
export function compileSchema(root: unknown): CompiledSchema {
  const siblingsOfRefCount = !isOldDialect(root)
  const compilation: Compilation = {
    problems: [],
    references: indexReferences(root, siblingsOfRefCount),
    siblingsOfRefCount,
    compiled: new Map(),
    depth: 0,
  }
  const whole = compileSubschema(root, [], compilation)
  return { problems: compilation.problems, faults: (data) => whole.evaluate(data, undefined).faults }
}

interface Compilation {
  problems: SchemaProblem[]
  references: References
  siblingsOfRefCount: boolean
  compiled: Map<object, Subschema>
  /** The depth of the running evaluation. */
  depth: number
}

type SchemaPath = (string | number)[]

function compileSubschema(schema: unknown, path: SchemaPath, compilation: Compilation): Subschema {
  if (typeof schema === 'boolean') return booleanSchema(schema)
  if (!isRecord(schema)) {
    compilation.problems.push({ path, message: 'a schema must be an object, true or false' })
    return booleanSchema(true)
  }
  const known = compilation.compiled.get(schema)
  if (known !== undefined) return known
  const evaluates: Evaluate[] = []
  const created = objectSchema(evaluates, compilation)
  // Stored before its keywords are compiled, because they may refer to it.
  compilation.compiled.set(schema, created)
  checkKeywords(schema, path, compilation.problems)
  for (const [name, keyword] of keywords) {
    if (!Object.hasOwn(schema, name)) continue
    if (!compilation.siblingsOfRefCount && name !== '$ref' && schema.$ref !== undefined) continue
    const evaluate = keyword(schema[name], createKeywordContext(schema, name, path, compilation))
    if (evaluate !== undefined) evaluates.push(evaluate)
  }
  for (const name of ['$defs', 'definitions']) compileDefinitions(schema[name], [...path, name], compilation)
  return created
}

// Mistakes are reported even in definitions that are never used.
function compileDefinitions(definitions: unknown, path: SchemaPath, compilation: Compilation): void {
  if (!isRecord(definitions)) return
  for (const [name, schema] of Object.entries(definitions))
    compileSubschema(schema, [...path, name], compilation)
}

function createKeywordContext(
  schema: Record<string, unknown>,
  keyword: string,
  path: SchemaPath,
  compilation: Compilation,
): KeywordContext {
  const problem = (message: string): undefined => {
    compilation.problems.push({ path: [...path, keyword], message: `"${keyword}" ${message}` })
  }
  return {
    schema,
    problem,
    subschema: (inner, ...steps) => compileSubschema(inner, [...path, keyword, ...steps], compilation),
    sibling: (name) => compileSubschema(schema[name], [...path, name], compilation),
    reference(ref) {
      const target = compilation.references.resolve(ref, schema)
      return target === undefined
        ? problem(`${JSON.stringify(ref)} is not in the schema, and no other is read`)
        : compileSubschema(target.schema, target.path, compilation)
    },
  }
}

function objectSchema(evaluates: readonly Evaluate[], compilation: Compilation): Subschema {
  return {
    evaluate(data, place) {
      if (compilation.depth >= deepestEvaluation)
        throw new Error('the schema has a circular reference, or the data is nested too deeply')
      const into = emptyEvaluation()
      compilation.depth++
      try {
        for (const evaluate of evaluates) evaluate(data, place, into)
      } finally {
        compilation.depth--
      }
      return into
    },
  }
}

function booleanSchema(allows: boolean): Subschema {
  return {
    evaluate(_data, place) {
      const into = emptyEvaluation()
      if (!allows) fault(into, place, 'is not allowed')
      return into
    },
  }
}

function emptyEvaluation(): Evaluation {
  return { faults: [], keys: new Set(), items: new Set() }
}

/** Whether keywords beside a `$ref` are ignored. */
function isOldDialect(root: unknown): boolean {
  return isRecord(root) && typeof root.$schema === 'string' && /draft-0[3-7]\//.test(root.$schema)
}

/** According to the standard an unknown keyword is an annotation; one that is similar to a known one is a mistake. */
function checkKeywords(
  schema: Record<string, unknown>,
  path: (string | number)[],
  problems: SchemaProblem[],
): void {
  for (const name of Object.keys(schema)) {
    if (keywords.has(name) || annotations.has(name) || name.startsWith('x-')) continue
    const meant = [...keywords.keys()].find((known) => isMisspelling(name, known))
    if (meant !== undefined) {
      problems.push({
        path: [...path, name],
        message: `unknown keyword "${name}" (did you mean "${meant}"?)`,
      })
    }
  }
}

function isMisspelling(name: string, known: string): boolean {
  const distance = editDistance(name.toLowerCase(), known.toLowerCase())
  return distance <= Math.min(2, Math.floor(known.length / 4))
}
