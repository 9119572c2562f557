import { defineAssertion } from './definition.ts'
import { assertionsField, compileGroup, groupParts, type Nested } from './group.ts'

export function allOfCheck(nested: Nested) {
  return defineAssertion({
    type: 'all_of',
    about:
      'All of the assertions pass. If one fails, the group fails. If none fails but one cannot be judged, the ' +
      'group cannot be judged either. The score is the share that passed, by weight.',
    fields: { assertions: assertionsField('all_of', nested) },
    example: {
      type: 'all_of',
      scope: 'any',
      assertions: [
        { type: 'contains', value: 'submitted' },
        { type: 'tool_called', name: 'submit_expense' },
      ],
    },
    ...groupParts(nested),
    compile: ({ assertions }, where, helpers) =>
      compileGroup(assertions, assertions.length, nested, where, helpers),
  })
}
