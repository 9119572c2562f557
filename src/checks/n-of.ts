import { z } from 'zod'
import { defineAssertion } from './definition.ts'
import { assertionsField, compileGroup, groupParts, type Nested, refineGroup } from './group.ts'

export function nOfCheck(nested: Nested) {
  return defineAssertion({
    type: 'n_of',
    about:
      'At least `n` of the assertions pass. If this depends on assertions that cannot be judged, the group ' +
      'cannot be judged either. The score is the share that passed, by weight.',
    fields: {
      n: z
        .int({ error: () => 'n_of needs "n", a whole number' })
        .min(1)
        .describe('How many must pass.'),
      assertions: assertionsField('n_of', nested),
    },
    example: {
      type: 'n_of',
      n: 2,
      assertions: [
        { type: 'icontains', value: 'sorry' },
        { type: 'contains', value: 'refund' },
        { type: 'length', max: 400 },
      ],
    },
    ...groupParts(nested),
    refine({ n, assertions }, problem) {
      refineGroup({ assertions }, problem)
      if (n > assertions.length) problem('n', `"n" is ${n}, but there are ${assertions.length} assertions`)
    },
    compile: ({ n, assertions }, where, helpers) => compileGroup(assertions, n, nested, where, helpers),
  })
}
