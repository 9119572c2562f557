import { expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { AssertionInput } from '../checks/assertion-type.ts'
import type { assertionSchema } from '../checks/list.ts'
import type { caseSchema } from './case-schema.ts'
import type { CaseInput, ConditionInput } from './case-type.ts'
import type { conditionSchema } from './conditions.ts'

it('the types of cases with doc comments are those that their schemas accept', () => {
  expectTypeOf<CaseInput>().toEqualTypeOf<z.input<typeof caseSchema>>()
  expectTypeOf<AssertionInput>().toEqualTypeOf<z.input<typeof assertionSchema>>()
  expectTypeOf<ConditionInput>().toEqualTypeOf<z.input<typeof conditionSchema>>()
})
