import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { isRecord } from '../json.ts'
import type { Check } from './check.ts'
import { contains } from './contains.ts'
import { type AssertionDefinition, didYouMean, type Where } from './definition.ts'
import { equals } from './equals.ts'
import { jsonPath } from './json-path.ts'
import { notContains } from './not-contains.ts'
import { notYetDefinitions } from './not-yet.ts'
import { renderReference } from './reference.ts'
import { regex } from './regex.ts'
import { compileCheck } from './run-assertion.ts'
import { toolCalled } from './tool-called.ts'
import { typeAssertion } from './type.ts'

/** The one list: schema, documentation and checks come from it. */
const definitions = [equals, contains, notContains, regex, jsonPath, typeAssertion, toolCalled] as const

const [first, ...others] = definitions
const knownTypes = [...definitions, ...notYetDefinitions].map(({ type }) => type)

/** One assertion of a case, told apart by `type`; an unknown key or type is an error with the nearest known one. */
export const assertionSchema = z.discriminatedUnion(
  'type',
  [first.schema, ...others.map(({ schema }) => schema), ...notYetDefinitions.map(({ schema }) => schema)],
  { error: ({ input }) => unknownType(input) },
)

export type Assertion = z.output<typeof assertionSchema>

const byType = new Map<string, AssertionDefinition>(
  definitions.map((definition) => [definition.type, definition]),
)

/** A valid assertion as a check. */
export function compileAssertion(assertion: Assertion, where: Where): Check {
  const definition = byType.get(assertion.type)
  if (definition === undefined) {
    const message = `assertion type "${assertion.type}" is not supported yet by this version`
    throw new ConfigError({ code: 'unsupported_assertion', message, key: 'type' })
  }
  return compileCheck(definition, assertion, where)
}

/** The check of a case's `expected`: the reply equals it. */
export function compileExpected(expected: unknown): Check {
  return compileAssertion({ type: 'equals', value: expected }, 'turn')
}

/** The reference of all types in Markdown, for the documentation. */
export function assertionReference(): string {
  return renderReference(definitions, notYetDefinitions)
}

function unknownType(input: unknown): string {
  if (!isRecord(input)) return 'an assertion is an object with a "type"'
  if (input.type === undefined) return 'an assertion needs a "type"'
  if (typeof input.type !== 'string') return 'the "type" of an assertion is the name of one'
  return `unknown assertion type "${input.type}"${didYouMean(input.type, knownTypes)}`
}
