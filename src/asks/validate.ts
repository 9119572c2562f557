import {
  askValidator,
  readVerdict,
  type ValidatorVerdict,
  validatorRequest,
} from '../helper-agents/validator.ts'
import { isRecord } from '../json.ts'
import type { Scope } from '../scope/scope.ts'
import type { Ask } from '../scripts/ask.ts'
import { textOf } from '../transcript/message.ts'
import type { AskedFor } from './asked-for.ts'
import { askMock } from './mock.ts'

/** `t.assert.Agent`: a validator agent says whether a value is what it should be. A mock may stand in for it. */
export async function validate(
  { value, agent: id, options }: Extract<Ask, { kind: 'validate' }>,
  { agent: find }: Pick<AskedFor, 'agent'>,
  scope: Scope,
): Promise<ValidatorVerdict> {
  const request = validatorRequest({ output: value }, options)
  const args = [null, JSON.stringify(request.params), request.options]
  const mocked = await askMock(`agents.${id}.Stream`, args, scope)
  if (mocked === undefined) return askValidator(await find(id), request, scope)
  const said = mocked.answer
  const { content = '', output = said } = isRecord(said) && !('passed' in said) ? said : { output: said }
  return readVerdict(id, { output, content: textOf(content) })
}
