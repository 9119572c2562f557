import type { Problem } from '../errors.ts'
import type { Network } from '../models/network/network.ts'
import type { Price } from '../models/prices.ts'
import type { Connectors } from '../project/app/connectors.ts'
import type { HookFile } from '../project/app/hook-file.ts'
import type { ToolServers } from '../project/app/mcps.ts'
import type { Project } from '../project/project.ts'
import type { Data } from '../results/transcript/message.ts'
import type { ScriptHost } from '../scripts/runner/script-host.ts'
import type { Agent } from './agent.ts'
import type { OtherAgents } from './package/package.ts'

/** What agents are made of. */
export interface AgentSources {
  project: Project
  connectors: Connectors
  toolServers: ToolServers
  scripts: ScriptHost
  /** To whom packages may hand a turn on. */
  others: OtherAgents
  network: Network
  /** Ends the loading of code: the run is stopped. */
  loading: AbortSignal
  /** `-c`: beats the agent's own connector and the case's. */
  connectorFlag?: string
  /** `--stub-all` */
  stubAll?: boolean
}

/** An agent, and what is to be known of it before it is asked. */
export interface Resolved {
  agent: Agent
  /** What it answers with, where that is known, for the banner and the reports. */
  connector?: string
  /** It was named by `-c`, which beats that of a case. */
  connectorFixed?: boolean
  /** Of an agent that is a model and has no connector. */
  price?: Price
  /** How many characters its prompts add to every call. */
  promptLength?: number
  secrets: string[]
  /** The MCP servers it has, by id. */
  servers?: string[]
  /** `none`: it answers with no connector of ours. `needed`: it has none, so a case must name one. */
  connectors: 'none' | 'own' | 'needed'
  /** What is wrong with a prompt preset that a case names, for agents that have presets. */
  presetProblem?(preset: string): string | undefined
  /** Where files of its own are. */
  folder?: string
  /** What is known of it, for those who write cases for it. */
  about?(signal: AbortSignal): Promise<Data>
  /** Of a package: what in it does nothing. */
  warnings?: readonly Problem[]
  hooks?: HookFile
}
