import { isRecord } from '../../json/json.ts'
import type { JudgeFinding } from '../../results/judge-finding.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'
import { askForData } from './ask-for-data.ts'
import { readFindings } from './judge.ts'
import { readVerdict } from './verdict.ts'

/** The parameters of a validator and the options of its author. Criteria may be given beside the metadata. */
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
): Promise<JudgeFinding> {
  const { criteria } = params
  const several = isTexts(criteria) ? criteria : undefined
  const read = (reply: Reply) => {
    const listed = several === undefined ? undefined : readFindings(reply, several)
    // A validator of the user's may give one verdict for all of them.
    const isOwn = !agent.id.startsWith('viva.')
    return listed === undefined || ('problem' in listed && isOwn) ? readVerdict(reply) : listed
  }
  return askForData(agent, { role: 'judge', params, options }, read, scope)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
