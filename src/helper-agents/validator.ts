import type { Agent } from '../agents/agent.ts'
import { isRecord } from '../json.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data } from '../transcript/message.ts'
import { askForData } from './structured.ts'
import { readVerdict, type Verdict } from './verdict.ts'

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
): Promise<Verdict> {
  return askForData(agent, { role: 'judge', params, options }, readVerdict, scope)
}
