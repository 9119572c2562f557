import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { nearestWords } from '../text/nearest.ts'
import { agent } from './agent.ts'
import { allOf } from './all-of.ts'
import { anyOf } from './any-of.ts'
import { awaitingInput } from './awaiting-input.ts'
import type { Check } from './check.ts'
import { contains } from './contains.ts'
import { containsAll } from './contains-all.ts'
import { containsAny } from './contains-any.ts'
import { cost } from './cost.ts'
import type { AssertionDefinition, ReportProblem, Where } from './definition.ts'
import { endsWith } from './ends-with.ts'
import { equals } from './equals.ts'
import type { Nested, NestedAssertion } from './group.ts'
import type { Helpers } from './helpers.ts'
import { icontains } from './icontains.ts'
import { jsonPath } from './json-path.ts'
import { jsonSchema } from './json-schema.ts'
import { judge } from './judge.ts'
import { latency } from './latency.ts'
import { length } from './length.ts'
import { nOf } from './n-of.ts'
import { notContains } from './not-contains.ts'
import { notYetDefinitions } from './not-yet.ts'
import { renderReference } from './reference.ts'
import { regex } from './regex.ts'
import { compileCheck } from './run-assertion.ts'
import { script } from './script.ts'
import { similar } from './similar.ts'
import { startsWith } from './starts-with.ts'
import { state } from './state.ts'
import { toolCalled } from './tool-called.ts'
import { toolNotCalled } from './tool-not-called.ts'
import { toolOrder } from './tool-order.ts'
import { toolResult } from './tool-result.ts'
import { typeAssertion } from './type.ts'
import { typesElsewhere } from './types-elsewhere.ts'

// Groups contain assertions of all types, including groups, so they access the list lazily.
const nested: Nested = {
  schema: z.lazy((): z.ZodType<NestedAssertion> => assertionSchema),
  findProblems: (assertion, helpers, problem) => findValidProblems(assertion, helpers, problem),
  compile: (assertion, where, helpers) => compileValid(assertion, where, helpers),
}

/** The single list of types: schema, documentation and checks are derived from it. */
const definitions = [
  equals,
  contains,
  notContains,
  icontains,
  containsAny,
  containsAll,
  startsWith,
  endsWith,
  regex,
  similar,
  length,
  jsonPath,
  jsonSchema,
  typeAssertion,
  toolCalled,
  toolNotCalled,
  toolResult,
  toolOrder,
  awaitingInput,
  latency,
  cost,
  state,
  script,
  agent,
  judge,
  allOf(nested),
  anyOf(nested),
  nOf(nested),
] as const

const [first, ...others] = definitions
const knownTypes = [...definitions, ...notYetDefinitions].map(({ type }) => type)

/** One assertion of a case, discriminated by `type`. An unknown key or type is an error that suggests the nearest one. */
export const assertionSchema = z
  .discriminatedUnion(
    'type',
    [first.schema, ...others.map(({ schema }) => schema), ...notYetDefinitions.map(({ schema }) => schema)],
    { error: ({ input }) => unknownType(input) },
  )
  // Its name in JSON Schemas, where groups refer back to it.
  .meta({ id: 'assertion' })

export type Assertion = z.output<typeof assertionSchema>

const byType = new Map<string, AssertionDefinition>(
  definitions.map((definition) => [definition.type, definition]),
)

/** Reports missing services that a valid assertion needs. */
export function findProblems(assertion: Assertion, helpers: Helpers, problem: ReportProblem): void {
  findValidProblems(assertion, helpers, problem)
}

function findValidProblems(assertion: NestedAssertion, helpers: Helpers, problem: ReportProblem): void {
  byType.get(assertion.type)?.findProblems?.(assertion, helpers, problem)
}

/** Compiles a valid assertion to a check. */
export function compileAssertion(assertion: Assertion, where: Where, helpers: Helpers): Check {
  return compileValid(assertion, where, helpers)
}

function compileValid(assertion: NestedAssertion, where: Where, helpers: Helpers): Check {
  const definition = byType.get(assertion.type)
  if (definition === undefined) {
    const message = `assertion type "${assertion.type}" is not supported yet by this version`
    throw new ConfigError({ code: 'unsupported_assertion', message, key: 'type' })
  }
  return compileCheck(definition, assertion, where, helpers)
}

/** The check of a case's `expected`: the reply equals it. */
export function compileExpected(expected: unknown, helpers: Helpers): Check {
  return compileAssertion({ type: 'equals', value: expected }, 'turn', helpers)
}

/** The reference of all types in Markdown, for the documentation. */
export function assertionReference(): string {
  return renderReference(definitions, notYetDefinitions)
}

/** The message for something that is not an assertion; `others` are further types that are allowed there. */
export function unknownType(input: unknown, others: readonly string[] = []): string {
  if (!isRecord(input)) return 'an assertion is an object with a "type"'
  if (input.type === undefined) return 'an assertion needs a "type"'
  if (typeof input.type !== 'string') return 'the "type" of an assertion must be a string'
  const near = nearestWords(input.type, [...knownTypes, ...others]).slice(0, 3)
  const guesses = [...typesElsewhere(input.type), ...near]
  const types = [...byType.keys(), ...others]
  const hint =
    guesses.length === 0 ? '' : ` (did you mean ${guesses.map((type) => `"${type}"`).join(' or ')}?)`
  return `unknown assertion type "${input.type}"${hint}: the types are ${types.join(', ')}`
}

/** The agents that an assertion uses, including those in groups. */
export function validatorsIn(assertion: Assertion): string[] {
  const own = byType.get(assertion.type)?.asks?.(assertion) ?? []
  const { assertions = [] } = assertion as { assertions?: Assertion[] }
  return [...own, ...assertions.flatMap(validatorsIn)]
}
