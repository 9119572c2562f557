import type { Agent } from '../agents/agent.ts'
import { WorldError } from '../errors.ts'
import { extractJson } from '../extract-json.ts'
import { isRecord } from '../json.ts'
import type { Scope } from '../scope/scope.ts'
import { shorten } from '../shorten.ts'
import { type Data, textOf } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import { askHelper } from './ask.ts'

/** What a validator says of what it was shown. */
export interface ValidatorVerdict {
  passed: boolean
  reason: string
  score?: number
}

/** What a validator is told, and the options its author gave it; criteria may stand beside the metadata. */
export function validatorRequest(shown: Data, given: unknown): { params: Data; options: Data } {
  const { metadata, criteria, ...options } = isRecord(given) ? given : {}
  const told = isRecord(metadata) ? metadata : {}
  return {
    params: { ...(criteria === undefined ? {} : { criteria }), ...told, test_mode: 'validator', ...shown },
    options: { ...options, ...(criteria === undefined ? {} : { criteria }), metadata: told },
  }
}

export async function askValidator(
  agent: Agent,
  { params, options }: ReturnType<typeof validatorRequest>,
  scope: Scope,
): Promise<ValidatorVerdict> {
  return readVerdict(agent.id, await askHelper(agent, { role: 'judge', params, options }, scope))
}

/** Throws where there is none: it must not be guessed. */
export function readVerdict(
  id: string,
  { output, content }: Pick<Reply, 'output' | 'content'>,
): ValidatorVerdict {
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
