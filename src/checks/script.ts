import { z } from 'zod'
import { emptyToUndefined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import { messageText } from '../results/transcript/message.ts'
import type { Context } from '../scope/context.ts'
import { optionalOptions } from './context-options.ts'
import { type CheckVerdict, defineAssertion, optionalName } from './definition.ts'
import { show } from './describe.ts'

export const scriptCheck = defineAssertion({
  type: 'script',
  about:
    'Your function decides that the output is right. It is called with `(output, input, value, ctx)` and ' +
    'returns `true`, `false` or `{pass, message}`.',
  fields: {
    script: optionalName.describe('The function: `scripts.tests.Check`.'),
    use: optionalName.describe(
      'The same as `script`, in the form of other references: `scripts:tests.check`.',
    ),
    value: z.unknown().optional().describe('Passed to the function. The default is what the case expects.'),
    options: optionalOptions.describe(
      'Passed as `ctx.options`, as for a case; `metadata` is added to `ctx.metadata`.',
    ),
  },
  example: { type: 'script', script: 'scripts.tests.ValidateExpense', value: { max_amount: 1000 } },
  looksAt: 'output',
  refine({ script: named, use }, problem) {
    if ((named === undefined) === (use === undefined)) problem([], 'script needs a "script" or a "use"')
  },
  findProblems({ script: named, use }, helpers, problem) {
    const wrong = helpers.scriptProblem(named ?? use ?? '')
    if (wrong !== undefined) problem(named === undefined ? 'use' : 'script', wrong)
  },
  compile({ script: named, use, value, options }, _where, helpers) {
    const reference = named ?? use ?? ''
    const expected = value === undefined ? helpers.expected : value
    return async ({ output, turns, scope }) => {
      const input = turns.at(-1)?.input.value
      const args = (ctx: unknown) => [output, input ?? null, expected ?? null, ctx]
      try {
        const said = await helpers.callScript(reference, args, scope.child('script'), options)
        const unknown = takeUnrecorded(scope.context)
        return {
          actual: output,
          ...(unknown ? describeUnrecorded(unknown) : readScriptVerdict(said, reference)),
        }
      } catch (error) {
        const unknown = takeUnrecorded(scope.context)
        if (unknown === undefined) throw error
        return { actual: output, ...describeUnrecorded(unknown) }
      }
    }
  },
})

/** What the function read and nobody knows; the next one is asked anew. */
function takeUnrecorded({ memory: { unrecorded = {} } }: Context): string[] | undefined {
  const names = Object.keys(unrecorded)
  for (const name of names) delete unrecorded[name]
  return emptyToUndefined(names)
}

function describeUnrecorded(names: readonly string[]): CheckVerdict {
  const some = names.slice(0, 3).join(', ')
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return { status: 'unknown', reason: `it reads ${some}${more}, not in the results file` }
}

/** `true`, `false`, or an object that says which and why. Anything else is no verdict. */
function readScriptVerdict(said: unknown, reference: string): CheckVerdict {
  const passed = isRecord(said) ? (said.passed ?? said.pass) : said
  if (typeof passed !== 'boolean') {
    const wanted = 'it must return true, false or {"pass": true | false, "message": …}'
    return {
      status: 'error',
      reason: `${reference} returned ${said === undefined ? 'nothing' : show(said)}: ${wanted}`,
    }
  }
  const { message, reason = message, score, expected } = isRecord(said) ? said : {}
  const words = messageText(reason) || `${reference} says ${passed ? 'yes' : 'no'}`
  return {
    status: passed ? 'passed' : 'failed',
    reason: words,
    ...(typeof score === 'number' && { score }),
    ...(expected !== undefined && { expected }),
  }
}
