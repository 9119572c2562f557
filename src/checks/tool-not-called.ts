import { defineAssertion, negated } from './definition.ts'
import { compileToolCalled } from './tool-called.ts'
import { refineToolFields, toolFields } from './tool-fields.ts'

export const toolNotCalledCheck = defineAssertion({
  type: 'tool_not_called',
  about:
    'The tool was not called, or not with these arguments; of a list, none was. On an agent that hides its tools this ' +
    'is unknown, and does not pass.',
  fields: toolFields,
  example: { type: 'tool_not_called', name: 'delete_account' },
  looksAt: 'tools',
  refine: (fields, problem) => refineToolFields('tool_not_called', fields, problem),
  compile(fields) {
    const called = compileToolCalled(fields)
    return async (subject) => negated(await called(subject))
  },
})
