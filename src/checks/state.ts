import { z } from 'zod'
import { sameData } from '../json/equal/find-difference.ts'
import { extractJson } from '../json/extract-json.ts'
import { compilePath } from '../json/path.ts'
import { createObserverContext } from '../scope/context.ts'
import type { ToolAnswer } from './check-helpers.ts'
import { comparisonVerdict, defineAssertion, optionalName } from './definition.ts'
import { show } from './describe.ts'
import { disclosureHint } from './disclosure-hint.ts'
import { listToolCalls } from './tool-calls.ts'

const needsCall = 'state needs a "call": {"tool": …, "arguments": {…}} or {"script": …, "args": […]}'

export const stateCheck = defineAssertion({
  type: 'state',
  about:
    'A tool, or a function of a script, returns the expected value. The check calls it itself, to find out what was really done, ' +
    'whatever the agent says. The real tool is called, even if it is stubbed. The result is `unknown` if the agent runs its ' +
    'tools itself, so that viva cannot ask them, and with `viva grade`: results files do not contain the state of tools.',
  fields: {
    call: z
      .strictObject(
        {
          tool: z.string().min(1).optional().describe('The tool, with or without its server'),
          arguments: z.record(z.string(), z.unknown()).optional().describe('The arguments of the tool'),
          script: z.string().min(1).optional().describe('A function of a script, in place of a tool'),
          args: z.array(z.unknown()).optional().describe('The arguments of the function'),
        },
        { error: () => needsCall },
      )
      .describe(
        'The tool of an MCP server or of an AI SDK agent, a function that the module of the agent exports (as `tool`), or the function of a script. No tools of other agents are called.',
      ),
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
  refine({ call, path, value, exists }, problem) {
    if ((call.tool === undefined) === (call.script === undefined)) problem('call', needsCall)
    else if (call.tool === undefined ? call.arguments : call.args)
      problem('call', 'the "arguments" of a "tool" have names, the "args" of a "script" are a list')
    if ((value === undefined) === (exists === undefined)) problem([], 'state needs a "value" or "exists"')
    if (exists !== undefined && path === undefined) problem('exists', '"exists" needs a "path"')
  },
  findProblems({ call }, helpers, problem) {
    const [key, wrong] =
      call.script === undefined
        ? (['tool', helpers.toolProblem(call.tool ?? '')] as const)
        : (['script', helpers.scriptProblem(call.script)] as const)
    if (wrong !== undefined) problem(['call', key], wrong)
  },
  compile({ call, path, value, exists }, _where, helpers) {
    const compiled = path === undefined ? undefined : compilePath(path)
    const { script, tool = script ?? '' } = call
    const name = path ?? tool
    return async ({ turns, scope }) => {
      if (scope.context.isRecorded)
        return {
          status: 'unknown',
          reason: `what ${tool} returned after this conversation is not in the results file`,
        }
      const observing = createObserverContext(scope.context)
      const given: ToolAnswer =
        script === undefined
          ? await helpers.callTool(tool, call.arguments ?? {}, scope.child('tool', undefined, observing))
          : {
              is: 'given',
              value: await helpers.callScript(
                script,
                () => call.args ?? [],
                scope.child('script', undefined, observing),
              ),
            }
      if (given.is === 'unknown') {
        const hint = listToolCalls(turns).hidden ? disclosureHint(given.disclosure) : ''
        return { status: 'unknown', reason: `${given.reason}${hint}` }
      }
      const answer = parseToolAnswer(given.value)
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
          reason: `${name} is missing in the answer of ${tool}`,
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
