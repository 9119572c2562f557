import { defineAssertion, negateVerdict } from './definition.ts'
import { compileToolCalled } from './tool-called.ts'
import { refineToolFields, toolFields } from './tool-fields.ts'

export const toolNotCalledCheck = defineAssertion({
  type: 'tool_not_called',
  about:
    'The tool was not called, or not with these arguments; for a list, none of the tools was called. If the ' +
    'agent hides its tools, the result is `unknown`, which does not pass.',
  fields: toolFields,
  example: { type: 'tool_not_called', name: 'delete_account' },
  looksAt: 'tools',
  refine: (fields, problem) => refineToolFields('tool_not_called', fields, problem),
  compile(fields) {
    const called = compileToolCalled(fields)
    return async (subject) => negateVerdict(await called(subject))
  },
})
