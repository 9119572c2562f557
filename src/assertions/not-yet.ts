import { z } from 'zod'
import { assertionObject } from './definition.ts'
import { toolFields } from './tool-fields.ts'

/** The vocabulary that is agreed but not built: accepted in shape, then refused, never ignored. */
function notYet<const Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  about: string,
  fields: Shape,
) {
  const schema = assertionObject(type, fields, (_fields, problem) => {
    problem('type', `assertion type "${type}" is not supported yet by this version`)
  })
  return { type, about, fields, schema }
}

const text = z.string()
const value = z.unknown()
const texts = z.array(z.string()).min(1)
const assertions = z.array(z.looseObject({ type: z.string() })).min(1)
const share = z.number().min(0).max(1)
const options = z
  .strictObject({ connector: text.optional(), metadata: z.record(text, z.unknown()).optional() })
  .optional()

export const notYetDefinitions = [
  notYet('icontains', 'The output contains the text, in upper or lower case.', { value: text }),
  notYet('contains_any', 'The output contains at least one of the texts.', { value: texts }),
  notYet('contains_all', 'The output contains every one of the texts.', { value: texts }),
  notYet('starts_with', 'The output starts with the text.', { value: text }),
  notYet('ends_with', 'The output ends with the text.', { value: text }),
  notYet('json_schema', 'The JSON of the output satisfies the JSON Schema.', {
    value: z.union([z.record(text, z.unknown()), z.boolean()]),
  }),
  notYet('length', 'The output has this length: characters of text, members of an array.', {
    value: z.int().min(0).optional(),
    min: z.int().min(0).optional(),
    max: z.int().min(0).optional(),
  }),
  notYet('latency', 'The reply came within this time, such as `2s`.', { max: text }),
  notYet('cost', 'The reply cost at most this much.', { max: z.number().min(0) }),
  notYet('tool_not_called', 'The tool was not called, or not with these arguments.', toolFields),
  notYet('tool_result', 'A tool gave this result.', { name: text, value: value.optional() }),
  notYet('tool_order', 'The tools were called in this order.', {
    value: z.array(z.unknown()).min(1),
    mode: z.enum(['strict', 'unordered', 'subset', 'superset']).optional(),
  }),
  notYet('all_of', 'Every one of the assertions passes.', { assertions }),
  notYet('any_of', 'At least one of the assertions passes.', { assertions }),
  notYet('n_of', 'At least `n` of the assertions pass.', { n: z.int().min(1), assertions }),
  notYet('similar', 'The output is similar to the text.', { value: text, threshold: share.optional() }),
  notYet('snapshot', 'The output is what it was when the snapshot was taken.', { name: text.optional() }),
  notYet('state', 'The state the agent left behind has this value.', { value: value.optional() }),
  notYet('judge', 'A judge finds that the conversation meets the criteria.', {
    criteria: z.union([text, texts]),
    use: text.optional(),
    threshold: share.optional(),
    options,
  }),
  notYet('awaiting_input', 'The agent waits for an answer, or does not.', { value: z.boolean().optional() }),
  notYet('agent', 'A validator agent finds that the reply meets the criteria.', {
    use: text.optional(),
    value: value.optional(),
    options,
  }),
  notYet('script', 'A script of yours finds that the output is right.', {
    script: text.optional(),
    use: text.optional(),
    value: value.optional(),
    options,
  }),
]
