import type { TestAssert } from '../../../protocol/testing.ts'
import { agent } from './agent.ts'
import { contains, notContains } from './contains.ts'
import type { TestAssertion } from './definition.ts'
import { equal, notEqual } from './equal.ts'
import { jsonPath } from './json-path.ts'
import { length } from './length.ts'
import { match, notMatch } from './match.ts'
import { greater, greaterOrEqual, less, lessOrEqual } from './order.ts'
import { error, noError, noPanic, panic } from './panic.ts'
import { isFalse, isTrue, nil, notNil } from './truth.ts'
import { type } from './type.ts'

/** All assertions by name. */
export const definitions: Readonly<Record<keyof TestAssert, TestAssertion>> = {
  True: isTrue,
  False: isFalse,
  Equal: equal,
  NotEqual: notEqual,
  Nil: nil,
  NotNil: notNil,
  Contains: contains,
  NotContains: notContains,
  Len: length,
  Greater: greater,
  GreaterOrEqual: greaterOrEqual,
  Less: less,
  LessOrEqual: lessOrEqual,
  Error: error,
  NoError: noError,
  Panic: panic,
  NoPanic: noPanic,
  Match: match,
  NotMatch: notMatch,
  JSONPath: jsonPath,
  Type: type,
  Agent: agent,
}
