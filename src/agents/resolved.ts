import type { Problem } from '../errors.ts'
import type { Network } from '../models/network/network.ts'
import type { Price } from '../models/prices.ts'
import type { HookFile } from '../project/app/hook-file.ts'
import type { Package } from '../project/app/package.ts'
import type { Project } from '../project/project.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Agent } from './agent.ts'
import type { PackageSurroundings } from './package/package.ts'

/** Everything needed to create agents. */
export interface AgentSources extends PackageSurroundings {
  project: Project
  network: Network
  /** Aborted when the run is stopped while code is loading. */
  loading: AbortSignal
}

/** What an agent is made of. */
export type AgentOrigin =
  | { kind: 'package'; pack: Package }
  | { kind: 'module'; file: string; exportName: string }
  /** What viva sees of it is its address or its command, and the entry of the config. */
  | { kind: 'model' | 'http' | 'a2a' | 'exec'; reference: string; entry?: unknown }

/** An agent with everything that must be known before it is used. */
export interface ResolvedAgent {
  agent: Agent
  /** Absent for an agent that is not opened. */
  origin?: AgentOrigin
  /** Its key in the `agents` of the config, where it has one. */
  configured?: string
  /** The connector it answers with, if known, for the banner and the reports. */
  connector?: string
  /** True if `-c` named the connector, which overrides that of a case. */
  connectorFixed?: boolean
  /** Set for an agent that is a model without a connector. */
  price?: Price
  /** How many characters its prompts add to every call. */
  promptLength?: number
  secrets: string[]
  /** The ids of its MCP servers. */
  servers?: string[]
  /** The modules with its tools, by their absolute path. */
  toolModules?: readonly string[]
  /** `none`: it uses no connector of viva. `needed`: it has none, so a case must name one. */
  connectors: 'none' | 'own' | 'needed'
  /** Checks the prompt preset that a case names, for agents that have presets. */
  presetProblem?(preset: string): string | undefined
  /** It is a model itself, without a connector. */
  isModel?: true
  /** The folder with its files. */
  folder?: string
  /** A description of the agent for case generators. */
  about?(signal: AbortSignal): Promise<Data>
  /** Parts of a package that have no effect. */
  warnings?: readonly Problem[]
  hooks?: HookFile
}
