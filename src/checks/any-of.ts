import { defineAssertion } from './definition.ts'
import { assertionsField, compileGroup, groupParts, type Nested } from './group.ts'

export function anyOfCheck(nested: Nested) {
  return defineAssertion({
    type: 'any_of',
    about:
      'At least one of the assertions passes. If none passes but one cannot be judged, the group cannot be ' +
      'judged either. The score is the share that passed, by weight.',
    fields: { assertions: assertionsField('any_of', nested) },
    example: {
      type: 'any_of',
      assertions: [{ type: 'awaiting_input' }, { type: 'icontains', value: 'anything else' }],
    },
    ...groupParts(nested),
    compile: ({ assertions }, where, helpers) => compileGroup(assertions, 1, nested, where, helpers),
  })
}
