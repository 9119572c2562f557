import type { Data } from '../../results/transcript/message.ts'
import type { SuiteRequest } from '../worker/calls/suite.ts'
import type { ContextData } from './context-data.ts'
import type { SharedState } from './state.ts'

/** What the runner may call in a user's module. Each kind has its file in `calls/`. */
export type ScriptCall =
  /** Reads the module's default export, which must be plain data. */
  | { kind: 'data'; file: string }
  /** Reads cases as plain data: the module's default export, or what that returns when it is a function. */
  | { kind: 'cases'; file: string }
  /** Lists the entries of the suite that a module exports by default, with its `cases`. */
  | { kind: 'suite_index'; file: string }
  /** Plays one of them. Returns a result line. */
  | { kind: 'suite_case'; file: string; request: SuiteRequest }
  /** Checks that an export exists and can answer. Returns an `Inspection`. */
  | { kind: 'inspect'; file: string; export: string }
  /** Calls a function, or an object's `execute`, with `(input, ctx)`. `ctx` is `context`, frozen, with a `signal`. */
  | { kind: 'agent'; file: string; export: string; input: unknown; context: Data }
  /**
   * Calls `generate` of an AI SDK agent or `doGenerate` of a model. Returns what a module's function might return.
   * `messages` are in the stricter form that models need: all content except that of the system is a list of parts.
   * `options` are an agent's call options, which its `prepareCall` receives; `settings` are those of the model, in the
   * SDK's words.
   */
  | { kind: 'ai_sdk'; file: string; export: string; messages: Data[]; options: Data; settings: Data }
  /** Calls a tool of an AI SDK agent itself. */
  | { kind: 'ai_sdk_tool'; file: string; export: string; tool: string; args: unknown }
  /** Lists the tools that a module exports. Returns `ListedTool[]`. */
  | { kind: 'tools'; file: string }
  /** Calls `execute` of one of them. `messages` is the conversation before the call, as the AI SDK passes it on. */
  | { kind: 'tool'; file: string; name: string; args: unknown; toolCallId: string; messages: Data[] }
  /** Calls a function. */
  | { kind: 'call'; file: string; export: string; args: unknown[] }
  /**
   * Calls a function by name, exported or not; without a name, the one that the file is for. Arguments that are marked as
   * a `ctx` become one.
   */
  | { kind: 'script'; file: string; function?: string; args: unknown[]; optional?: boolean }
  /** Loads the module and checks whether it has such a function; `optional` says whether it must. */
  | { kind: 'find_function'; file: string; function?: string; optional?: boolean }
  /** Loads a test file. Fails when a test is not a function. */
  | { kind: 'load_tests'; file: string; tests: string[]; coverage: boolean }
  /** Runs tests of a file in order. Reports each as a `TestEvent`; returns the coverage. */
  | {
      kind: 'run_tests'
      file: string
      tests: string[]
      coverage: boolean
      context: ContextData
      /** The initial variables of each test. */
      variables: Data
    }

export type CallOf<Kind extends ScriptCall['kind']> = Extract<ScriptCall, { kind: Kind }>

/** A call as it is sent. */
export interface CallPayload {
  call: ScriptCall
  /** What the scripts of the case share, for calls that belong to one. */
  state?: SharedState
}

/** Values of a test file that are named like tests but are not functions. */
export interface LoadedTests {
  others: string[]
}

export interface Inspection {
  callable: 'function' | 'execute' | 'ai_sdk' | 'ai_sdk_model'
  /** Those of an AI SDK agent, where they are always the same. */
  tools?: string[]
  /** It takes the input only, so that it cannot have wrapped its tools with `ctx.tools`. */
  ignoresContext?: true
  /** The names of everything the module exports. */
  exports: string[]
}

export interface ListedTool {
  name: string
  description?: string
  /** JSON Schema */
  inputSchema: Data
}
