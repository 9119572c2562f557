import { askValidator, validatorRequest } from '../../agents/helpers/validator.ts'
import { readVerdict } from '../../agents/helpers/verdict.ts'
import { InfrastructureError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import type { JudgeFinding } from '../../results/judge-finding.ts'
import { messageText } from '../../results/transcript/message.ts'
import type { Scope } from '../../scope/scope.ts'
import type { ScriptRequest } from '../../scripts/protocol/ask.ts'
import type { AskedFor } from './asked-for.ts'
import { askMock } from './mock.ts'

/** `t.assert.Agent`: a validator agent says whether a value is what it should be. A mock may stand in for it. */
export async function validate(
  { value, agent: id, options }: Extract<ScriptRequest, { kind: 'validate' }>,
  { validator: find }: Pick<AskedFor, 'validator'>,
  scope: Scope,
): Promise<{ passed: boolean; reason: string; score?: number }> {
  const request = validatorRequest({ output: value }, options)
  const args = [null, JSON.stringify(request.params), request.options]
  const mocked = await askMock(`agents.${id}.Stream`, args, scope)
  // It may have to be loaded.
  const asked = () => scope.standStill(() => find(id))
  const verdict =
    mocked === undefined
      ? await askValidator(await asked(), request, scope)
      : mockedVerdict(id, mocked.answer)
  if (verdict.verdict === 'unknown')
    throw new InfrastructureError('bad_response', `${id} cannot tell: ${verdict.reason}`)
  const { reason, score } = verdict
  return { passed: verdict.verdict === 'passed', reason, ...(score !== undefined && { score }) }
}

function mockedVerdict(id: string, said: unknown): JudgeFinding {
  const isReply = isRecord(said) && !('passed' in said) && !('verdict' in said)
  const { content = '', output = said } = isReply ? said : { output: said }
  const reading = readVerdict({ output, content: messageText(content) })
  if ('value' in reading) return reading.value
  throw new InfrastructureError('bad_response', `${id} ${reading.problem}`)
}
