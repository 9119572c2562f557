import type { Scope } from '../scope/scope.ts'
import type { Data } from '../transcript/message.ts'
import type { ServerExtras } from './extras.ts'

/** Something that a model may call. */
export interface Tool {
  /** As the model sees it. */
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  inputSchema: Data
  /** How it is used, for models to learn from. */
  samples?: readonly ToolSample[]
  /** Throws `ToolError` when the tool itself fails, and `WorldError` when it could not be asked. */
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

/** Where tools come from. It is started when they are first asked for. */
export interface ToolServer {
  id: string
  tools(scope: Waiting): Promise<Tool[]>
  /** The processes of the app that it calls, by what calls them. */
  processes?: readonly { caller: string; process: string }[]
  /** What else it has. */
  extras?: ServerExtras
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
