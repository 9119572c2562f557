import { z } from 'zod'
import { sameData } from '../json/equal/find-difference.ts'
import { extractJson } from '../json/extract-json.ts'
import { compilePath } from '../json/path.ts'
import { comparisonVerdict, defineAssertion, optionalName } from './definition.ts'
import { show } from './describe.ts'

export const stateCheck = defineAssertion({
  type: 'state',
  about:
    'A tool returns the expected value. The check calls this tool itself, to find out what was really done, ' +
    'whatever the agent says. The real tool is called, even if it is stubbed.',
  fields: {
    call: z
      .strictObject(
        {
          tool: z.string().min(1).describe('The tool, with or without its server'),
          arguments: z.record(z.string(), z.unknown()).optional().describe('The arguments of the call'),
        },
        { error: () => 'state needs a "call": {"tool": …, "arguments": {…}}' },
      )
      .describe('The tool to call, on one of the app’s MCP servers.'),
    path: optionalName.describe('The part of the result to check: a dotted path or a JSONPath.'),
    value: z
      .unknown()
      .optional()
      .describe(
        'The expected value. If it is a list and the actual value is not, one of its items must be equal.',
      ),
    exists: z.boolean().optional().describe('Whether `path` must exist.'),
  },
  example: {
    type: 'state',
    call: { tool: 'get_expense', arguments: { id: 'EXP-1' } },
    path: '$.status',
    value: 'submitted',
  },
  looksAt: 'turns',
  refine({ path, value, exists }, problem) {
    if ((value === undefined) === (exists === undefined)) problem([], 'state needs a "value" or "exists"')
    if (exists !== undefined && path === undefined) problem('exists', '"exists" needs a "path"')
  },
  findProblems({ call }, helpers, problem) {
    const wrong = helpers.toolProblem(call.tool)
    if (wrong !== undefined) problem(['call', 'tool'], wrong)
  },
  compile({ call, path, value, exists }, _where, helpers) {
    const compiled = path === undefined ? undefined : compilePath(path)
    const name = path ?? call.tool
    return async ({ scope }) => {
      const answer = parseToolAnswer(
        await helpers.callTool(call.tool, call.arguments ?? {}, scope.child('tool')),
      )
      const found = compiled === undefined ? { value: answer } : compiled.find(answer)
      if (exists !== undefined) {
        const is = `${name} ${found === undefined ? 'is missing' : `is ${show(found.value)}`}`
        const verdict = comparisonVerdict(
          (found !== undefined) === exists,
          is,
          exists ? 'something' : 'nothing',
        )
        return { ...verdict, actual: answer }
      }
      if (found === undefined)
        return {
          status: 'failed',
          reason: `${name} is missing in the answer of ${call.tool}`,
          nothingThere: true,
          actual: answer,
        }
      const wanted = Array.isArray(value) && !Array.isArray(found.value) ? value : [value]
      const holds = wanted.some((each) => sameData(found.value, each))
      const expectation = wanted.map((each) => show(each)).join(' or ')
      return {
        ...comparisonVerdict(holds, `${name} is ${show(found.value)}`, expectation),
        expected: value,
        actual: found.value,
      }
    }
  },
})

/** The answer of a tool is data, or a text that contains JSON. */
function parseToolAnswer(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  return extractJson(answer)?.value ?? answer
}
