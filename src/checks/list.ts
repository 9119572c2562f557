import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { nearestWords } from '../text/nearest.ts'
import { agentCheck } from './agent.ts'
import { allOfCheck } from './all-of.ts'
import { anyOfCheck } from './any-of.ts'
import type { AssertionInput } from './assertion-type.ts'
import { awaitingInputCheck } from './awaiting-input.ts'
import type { Check } from './check.ts'
import type { CheckHelpers } from './check-helpers.ts'
import { containsCheck } from './contains.ts'
import { containsAllCheck } from './contains-all.ts'
import { containsAnyCheck } from './contains-any.ts'
import { costCheck } from './cost.ts'
import type { AssertionDefinition, ReportProblem, Where } from './definition.ts'
import { endsWithCheck } from './ends-with.ts'
import { equalsCheck } from './equals.ts'
import type { Nested, NestedAssertion } from './group.ts'
import { icontainsCheck } from './icontains.ts'
import { jsonPathCheck } from './json-path.ts'
import { jsonSchemaCheck } from './json-schema.ts'
import { judgeCheck } from './judge.ts'
import { latencyCheck } from './latency.ts'
import { lengthCheck } from './length.ts'
import { nOfCheck } from './n-of.ts'
import { notContainsCheck } from './not-contains.ts'
import { renderReference } from './reference.ts'
import { regexCheck } from './regex.ts'
import { compileCheck } from './run-assertion.ts'
import { scriptCheck } from './script.ts'
import { similarCheck } from './similar.ts'
import { snapshotCheck } from './snapshot.ts'
import { startsWithCheck } from './starts-with.ts'
import { stateCheck } from './state.ts'
import { toolCalledCheck } from './tool-called.ts'
import { toolNotCalledCheck } from './tool-not-called.ts'
import { toolOrderCheck } from './tool-order.ts'
import { toolResultCheck } from './tool-result.ts'
import { typeCheck } from './type.ts'
import { suggestFromOtherTools } from './types-elsewhere.ts'

// Groups contain assertions of all types, including groups, so they access the list lazily.
const nested: Nested = {
  schema: z.lazy((): z.ZodType<NestedAssertion, AssertionInput> => assertionSchema),
  findProblems: (assertion, helpers, problem) => findProblems(assertion, helpers, problem),
  compile: (assertion, where, helpers) => compileValid(assertion, where, helpers),
}

/** The single list of types: schema, documentation and checks are derived from it. */
const definitions = [
  equalsCheck,
  containsCheck,
  notContainsCheck,
  icontainsCheck,
  containsAnyCheck,
  containsAllCheck,
  startsWithCheck,
  endsWithCheck,
  regexCheck,
  similarCheck,
  lengthCheck,
  jsonPathCheck,
  jsonSchemaCheck,
  typeCheck,
  toolCalledCheck,
  toolNotCalledCheck,
  toolResultCheck,
  toolOrderCheck,
  awaitingInputCheck,
  latencyCheck,
  costCheck,
  stateCheck,
  snapshotCheck,
  scriptCheck,
  agentCheck,
  judgeCheck,
  allOfCheck(nested),
  anyOfCheck(nested),
  nOfCheck(nested),
] as const

const [first, ...others] = definitions
const knownTypes = definitions.map(({ type }) => type)

/** One assertion of a case, discriminated by `type`. An unknown key or type is an error that suggests the nearest one. */
export const assertionSchema = z
  .discriminatedUnion('type', [first.schema, ...others.map(({ schema }) => schema)], {
    error: ({ input }) => unknownTypeMessage(input),
  })
  // Its name in JSON Schemas, where groups refer back to it.
  .meta({ id: 'assertion' })

export type Assertion = z.output<typeof assertionSchema>

const definitionsByType = new Map<string, AssertionDefinition>(
  definitions.map((definition) => [definition.type, definition]),
)

/** Reports missing services that a valid assertion needs. */
export function findProblems(
  assertion: NestedAssertion,
  helpers: CheckHelpers,
  problem: ReportProblem,
): void {
  definitionsByType.get(assertion.type)?.findProblems?.(assertion, helpers, problem)
}

/** Compiles a valid assertion to a check. */
export const compileAssertion: (assertion: Assertion, where: Where, helpers: CheckHelpers) => Check =
  compileValid

function compileValid(assertion: NestedAssertion, where: Where, helpers: CheckHelpers): Check {
  const definition = definitionsByType.get(assertion.type)
  if (definition === undefined) {
    throw new ConfigError({ code: 'unknown_assertion', message: unknownTypeMessage(assertion), key: 'type' })
  }
  return compileCheck(definition, assertion, where, helpers)
}

/** The check of a case's `expected`: the reply equals it. */
export function compileExpected(expected: unknown, helpers: CheckHelpers): Check {
  return compileAssertion({ type: 'equals', value: expected }, 'turn', helpers)
}

/** What assertions of a type look at. */
export function looksAt(type: string): AssertionDefinition['looksAt'] {
  return definitionsByType.get(type)?.looksAt ?? 'output'
}

/** All types with what they check. */
export function assertionTypes(): { type: string; about: string }[] {
  return definitions.map(({ type, about }) => ({ type, about }))
}

/** The reference of all types in Markdown, for the documentation. */
export function assertionReference(): string {
  return renderReference(definitions)
}

/** The message for something that is not an assertion; `others` are further types that are allowed there. */
export function unknownTypeMessage(input: unknown, others: readonly string[] = []): string {
  if (!isRecord(input)) return 'an assertion is an object with a "type"'
  if (input.type === undefined) return 'an assertion needs a "type"'
  if (typeof input.type !== 'string') return 'the "type" of an assertion must be a string'
  const near = nearestWords(input.type, [...knownTypes, ...others]).slice(0, 3)
  const guesses = [...suggestFromOtherTools(input.type), ...near]
  const types = [...definitionsByType.keys(), ...others]
  const hint =
    guesses.length === 0 ? '' : ` (did you mean ${guesses.map((type) => `"${type}"`).join(' or ')}?)`
  return `unknown assertion type "${input.type}"${hint}: the types are ${types.join(', ')}`
}

/** The agents that an assertion uses, including those in groups. */
export function listValidatorsIn(assertion: Assertion): string[] {
  const own = definitionsByType.get(assertion.type)?.asks?.(assertion) ?? []
  const { assertions = [] } = assertion as { assertions?: Assertion[] }
  return [...own, ...assertions.flatMap(listValidatorsIn)]
}

/** Whether a model decides about an assertion, or about one that is in it. */
export function asksModel(assertion: Assertion): boolean {
  const { assertions = [] } = assertion as { assertions?: Assertion[] }
  return definitionsByType.get(assertion.type)?.asksModel?.(assertion) === true || assertions.some(asksModel)
}
