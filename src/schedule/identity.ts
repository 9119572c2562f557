import { randomUUID } from 'node:crypto'
import type { Case } from '../cases/entry.ts'
import { defined } from '../defined.ts'
import type { Context } from '../scope/context.ts'
import type { ContextFile } from './context-file.ts'

/** What the command line says about who is asking. */
export interface Identity {
  file: ContextFile
  user?: string
  team?: string
  locale?: string
}

/** The `--ctx` file beats the flags, the flags beat the case, the case beats the defaults. */
export function contextFor(identity: Identity, played: Pick<Case, 'user' | 'team'>): Context {
  const { file } = identity
  const userId = file.authorized?.user_id ?? identity.user ?? played.user ?? 'test-user'
  const teamId = file.authorized?.team_id ?? identity.team ?? played.team ?? 'test-team'
  return {
    sessionId: randomUUID(),
    userId,
    teamId,
    locale: file.locale ?? identity.locale ?? 'en-us',
    referer: file.referer ?? 'test',
    accept: file.accept ?? 'standard',
    client: {
      type: file.client?.type ?? 'test',
      ip: file.client?.ip ?? '127.0.0.1',
      ...defined({ user_agent: file.client?.user_agent }),
    },
    authorized: { sub: userId, ...file.authorized, user_id: userId, team_id: teamId },
    variables: {},
  }
}
