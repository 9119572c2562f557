import type { Agent } from '../../agents/agent.ts'
import type { Network } from '../../models/network/network.ts'
import type { Connectors } from '../../project/app/connectors.ts'
import type { ToolServers } from '../../project/app/mcps.ts'
import type { AppScripts } from '../../project/app/script-files.ts'
import type { Config } from '../../project/config-schema.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'

/** What there is for scripts to ask for. */
export interface AskedFor {
  /** Throws `ConfigError` for one that is not there. */
  agent(id: string): Promise<Agent>
  /** The same for those that judge: the built-in ones too. */
  validator(id: string): Promise<Agent>
  agentIds(): string[]
  connectors: Connectors
  toolServers: ToolServers
  scripts: ScriptHost
  files: AppScripts
  /** The way out for requests of scripts. */
  network: Network
  /** Of the config: processes that viva does not have, and what they answer. */
  processes: NonNullable<Config['processes']>
}
