import type { Agent } from '../agents/agent.ts'
import type { Connectors } from '../app/connectors.ts'
import type { ToolServers } from '../app/mcps.ts'
import type { AppScripts } from '../app/script-files.ts'
import type { Config } from '../project/config-schema.ts'
import type { Answering } from '../scripts/ask.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import { askAgents } from './agents.ts'
import { askModels } from './models.ts'
import { runProcess } from './process.ts'
import { callTools, listTools } from './tools.ts'
import { validate } from './validate.ts'

/** What there is for scripts to ask for. */
export interface AskedFor {
  /** Throws `ConfigError` for one that is not there. */
  agent(id: string): Promise<Agent>
  agentIds(): string[]
  connectors: Connectors
  toolServers: ToolServers
  scripts: ScriptHost
  files: AppScripts
  /** Of the config: processes that viva does not have, and what they answer. */
  processes: NonNullable<Config['processes']>
}

/** Answers what scripts ask for, each kind in its file. */
export function createAnswering(askedFor: AskedFor): Answering {
  return {
    async answer(ask, scope, callBack) {
      switch (ask.kind) {
        case 'process':
          return runProcess(ask, askedFor, scope)
        case 'agents':
          return askAgents(ask, askedFor, scope, callBack)
        case 'models':
          return askModels(ask, askedFor, scope, callBack)
        case 'list_tools':
          return listTools(ask.server, askedFor, scope)
        case 'call_tools':
          return callTools(ask, askedFor, scope)
        case 'validate':
          return validate(ask, askedFor, scope)
      }
    },
  }
}
