import type { Data } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'
import type { ServerExtras } from './extras.ts'

/** Something that a model may call. */
export interface Tool {
  /** As the model sees it. */
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  inputSchema: Data
  /** It resets the server between cases: agents are not offered it. */
  forTests?: true
  /** How it is used, for models to learn from. */
  samples?: readonly ToolSample[]
  /** It shares a memory with the others of its kind: two of them at once would not see what the other one notes. */
  inOrder?: true
  /** Throws `ToolError` when the tool itself fails, and `InfrastructureError` when it could not be asked. */
  call(args: unknown, scope: Scope): Promise<unknown>
}

/** A call of a tool, and what came of it. */
export interface ToolSample {
  name?: string
  description?: string
  input: Data
  output?: unknown
}

/** What it takes to wait for a server to start. */
export type Waiting = Pick<Scope, 'signal' | 'standStill'>

/** For those who wait outside of any case. */
export function waitingFor(signal: AbortSignal): Waiting {
  return { signal, standStill: (work) => work(signal) }
}

/** Where tools come from. It is started when they are first asked for. */
export interface ToolServer {
  id: string
  tools(scope: Waiting): Promise<Tool[]>
  /** What is known of it without a start, where there is nothing to start. */
  atRest?: {
    /** Names as the server has them. */
    tools: readonly string[]
    /** The processes of the app that it calls, by what calls them. */
    processes: readonly { caller: string; process: string }[]
  }
  /** What else it has. */
  extras?: ServerExtras
  /** How many plays of cases may come to use it: it may be started ahead of need. */
  expect?(plays: number): void
  /** What its user should know when the run is over. */
  notices?(): string[]
  close(): Promise<void>
}

/** The tool was reached and says that it failed. The model is told, and may do better. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** `github.issues` and `search` are `github_issues__search` to the model. */
export function toolName(serverId: string, tool: string): string {
  return `${serverId.replaceAll('.', '_')}__${tool}`
}
