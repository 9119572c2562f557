import type { Data } from '../../results/transcript/message.ts'
import type { SuiteRequest } from '../worker/calls/suite.ts'
import type { ContextData } from './context-data.ts'
import type { SharedState } from './state.ts'

/** What the runner may ask of a user's module. Each kind has its file in `calls/`. */
export type ScriptCall =
  /** The module's default export, which must be plain data. */
  | { kind: 'data'; file: string }
  /** The module's default export, or what it gives when it is a function: cases, plain data too. */
  | { kind: 'cases'; file: string }
  /** The entries of the suite that a module exports by default, with its `cases`. */
  | { kind: 'suite_index'; file: string }
  /** Plays one of them. Gives a result line. */
  | { kind: 'suite_case'; file: string; request: SuiteRequest }
  /** Whether that export is there and can answer. Gives an `Inspection`. */
  | { kind: 'inspect'; file: string; export: string }
  /** `(input, ctx)` of a function or of an object's `execute`. `ctx` is `context`, frozen, with a `signal`. */
  | { kind: 'agent'; file: string; export: string; input: unknown; context: Data }
  /** `generate` of an AI SDK agent or `doGenerate` of a model. Gives what a module's function might return. */
  | { kind: 'ai_sdk'; file: string; export: string; messages: Data[]; options: Data; settings: Data }
  /** A plain function call. */
  | { kind: 'call'; file: string; export: string; args: unknown[] }
  /**
   * A function that a reference names, exported or not; without a name the one that the file is for. What is marked
   * as a `ctx` among the arguments becomes one.
   */
  | { kind: 'script'; file: string; function?: string; args: unknown[]; optional?: boolean }
  /** Loads the module, and looks whether it has such a function; whether it must is `optional`. */
  | { kind: 'find_function'; file: string; function?: string; optional?: boolean }
  /** Loads a test file. Fails where a test is no function. */
  | { kind: 'load_tests'; file: string; tests: string[]; coverage: boolean }
  /** Runs tests of a file in order. Each is told as a `TestEvent`; gives what was covered. */
  | {
      kind: 'run_tests'
      file: string
      tests: string[]
      coverage: boolean
      context: ContextData
      /** What each of them begins with. */
      variables: Data
    }

/** How a call crosses. */
export interface CallPayload {
  call: ScriptCall
  /** What the scripts of the case share, for calls that belong to one. */
  state?: SharedState
}

/** Functions of a test file that are named like tests, though they do not look like functions. */
export interface LoadedTests {
  others: string[]
}

export interface Inspection {
  callable: 'function' | 'execute' | 'ai_sdk'
  /** The names of everything the module exports. */
  exports: string[]
}
