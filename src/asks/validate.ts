import { WorldError } from '../errors.ts'
import { extractJson } from '../extract-json.ts'
import { askHelper } from '../helper-agents/ask.ts'
import { isRecord } from '../json.ts'
import type { Scope } from '../scope/scope.ts'
import type { Ask } from '../scripts/ask.ts'
import { shorten } from '../shorten.ts'
import { type Data, textOf } from '../transcript/message.ts'
import type { AskedFor } from './asked-for.ts'
import { askMock } from './mock.ts'

/** `t.assert.Agent`: a validator agent says whether a value is what it should be. */
export async function validate(
  { value, agent: id, options }: Extract<Ask, { kind: 'validate' }>,
  { agent: find }: Pick<AskedFor, 'agent'>,
  scope: Scope,
): Promise<{ passed: boolean; reason: string; score?: number }> {
  const { metadata, ...rest } = isRecord(options) ? options : {}
  const told = isRecord(metadata) ? metadata : {}
  const params: Data = { ...criteriaOf(rest), ...told, test_mode: 'validator', output: value }
  const { output, content } = await answerOf(id, params, { ...rest, metadata: told }, find, scope)
  const verdict = isRecord(output) ? output : extractJson(textOf(output) || content)?.value
  const passed = isRecord(verdict) ? (verdict.passed ?? verdict.pass) : undefined
  if (!isRecord(verdict) || typeof passed !== 'boolean') {
    const said = shorten(textOf(output) || content, 200)
    throw new WorldError(
      'bad_response',
      `${id} gave no verdict ({"passed": true | false, "reason": …}): ${said}`,
    )
  }
  const { reason, message, score } = verdict
  return {
    passed,
    reason: textOf(reason ?? message) || `${id} says ${passed ? 'yes' : 'no'}`,
    ...(typeof score === 'number' && { score }),
  }
}

/** A mock of the agent stands in for it here too. */
async function answerOf(
  id: string,
  params: Data,
  options: Data,
  find: AskedFor['agent'],
  scope: Scope,
): Promise<{ output: unknown; content: string }> {
  const mocked = await askMock(`agents.${id}.Stream`, [null, JSON.stringify(params), options], scope)
  if (mocked === undefined) return askHelper(await find(id), { role: 'judge', params, options }, scope)
  const said = mocked.answer
  const { content = '', output = said } = isRecord(said) && !('passed' in said) ? said : { output: said }
  return { output, content: textOf(content) }
}

/** Beside `metadata`, where people write it too. */
function criteriaOf({ criteria }: Data): Data {
  return criteria === undefined ? {} : { criteria }
}
