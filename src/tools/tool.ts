import type { Data } from '../results/transcript/message.ts'
import type { Context } from '../scope/context.ts'
import type { Scope } from '../scope/scope.ts'
import { Stop } from '../scope/stop.ts'
import type { ServerExtras } from './extras.ts'

/** Something that a model may call. */
export interface Tool {
  /** The name that the model sees. */
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  inputSchema: Data
  /** It resets the server between cases and is not offered to agents. */
  forTests?: true
  /** Examples of calls, for models to learn from. */
  samples?: readonly ToolSample[]
  /** It shares state with other tools of its kind, so calls run one after the other. */
  inOrder?: true
  /** Throws `ToolError` when the tool itself fails, and `InfrastructureError` when it could not be called. */
  call(args: unknown, scope: Scope, details?: CallDetails): Promise<unknown>
}

/** What a tool may know about its call. */
export interface CallDetails {
  id?: string
  /** The conversation before the call, as messages of the AI SDK. */
  messages(): Data[]
}

/** A call of a tool, and its result. */
export interface ToolSample {
  name?: string
  description?: string
  input: Data
  output?: unknown
}

/** What is needed to wait for a server to start, and whose tools they are in which play of a case. */
export type StartWait = Pick<Scope, 'standStill'> &
  Partial<Pick<Scope, 'role'>> & { readonly context?: Pick<Context, 'play'> }

/** For waiting outside any case. */
export function waitOutsideCase(signal: AbortSignal): StartWait {
  return { standStill: (work) => work(Stop.by(signal)) }
}

/** A source of tools, started when they are first needed. */
export interface ToolServer {
  id: string
  tools(scope: StartWait): Promise<Tool[]>
  /** What is known without starting it, for a server that needs no start. */
  atRest?: {
    /** Names without the server's prefix. */
    tools: readonly string[]
    /** The processes of the app that it calls, with their callers. */
    processes: readonly { caller: string; process: string }[]
  }
  /** Resources, prompts and samples. */
  extras?: ServerExtras
  /** Announces how many plays may use it, so that it can be started in advance. */
  expect?(plays: number): void
  /** Advice for the user when the run is over. */
  notices?(): string[]
  close(): Promise<void>
}

/** The tool was reached and reported a failure. The model sees the message and may do better. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** `search` of server `github.issues` is `github_issues__search` to the model. */
export function toolName(serverId: string, tool: string): string {
  return `${serverId.replaceAll('.', '_')}__${tool}`
}
