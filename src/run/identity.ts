import { randomUUID } from 'node:crypto'
import type { Undefinable } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { type Context, emptyMemory } from '../scope/context.ts'
import type { ContextFile } from './context-file.ts'

/** The user, team and locale that the command line gives. */
export interface Identity {
  file: ContextFile
  user?: string
  team?: string
  locale?: string
  /** What `--before-all` returned: every case starts with these variables. */
  variables?: Data
}

/** The `--ctx` file overrides the flags, the flags override the case, the case overrides the defaults. */
export function buildContext(
  identity: Identity,
  played: Undefinable<{ user?: string; team?: string; agentId?: string; metadata?: Data; run?: number }>,
): Context {
  const { file } = identity
  const userId = file.authorized?.user_id ?? identity.user ?? played.user ?? 'test-user'
  const teamId = file.authorized?.team_id ?? identity.team ?? played.team ?? 'test-team'
  const client: Context['client'] = { type: file.client?.type ?? 'test', ip: file.client?.ip ?? '127.0.0.1' }
  if (file.client?.user_agent !== undefined) client.user_agent = file.client.user_agent
  return {
    sessionId: chooseSessionId(identity, played.run),
    userId,
    teamId,
    locale: file.locale ?? identity.locale ?? 'en-us',
    referer: file.referer ?? 'test',
    accept: file.accept ?? 'standard',
    client,
    authorized: { sub: userId, ...file.authorized, user_id: userId, team_id: teamId },
    agentId: played.agentId ?? '',
    metadata: { ...file.metadata, ...played.metadata },
    variables: copyVariables(identity),
    memory: emptyMemory(),
    missing: [],
  }
}

/** A clone takes microseconds, and most runs have no variables. */
function copyVariables({ variables = {} }: Identity): Data {
  return Object.keys(variables).length === 0 ? {} : structuredClone(variables)
}

function chooseSessionId({ file: { chat_id: given } }: Identity, run = 1): string {
  if (given === undefined) return randomUUID()
  return run === 1 ? given : `${given}-run${run}`
}
