import type { Data } from '../transcript/message.ts'

/** What the runner may ask of a user's module. Each kind has its file in `calls/`. */
export type ScriptCall =
  /** The module's default export, which must be plain data. */
  | { kind: 'data'; file: string }
  /** The module's default export, or what it gives when it is a function: cases, plain data too. */
  | { kind: 'cases'; file: string }
  /** Whether that export is there and can answer. Gives an `Inspection`. */
  | { kind: 'inspect'; file: string; export: string }
  /** `(input, ctx)` of a function or of an object's `execute`. `ctx` is `context`, frozen, with a `signal`. */
  | { kind: 'agent'; file: string; export: string; input: unknown; context: Data }
  /** `generate` of an AI SDK agent or `doGenerate` of a model. Gives what a module's function might return. */
  | { kind: 'ai_sdk'; file: string; export: string; messages: Data[]; options: Data; settings: Data }
  /** A plain function call. */
  | { kind: 'call'; file: string; export: string; args: unknown[] }

export interface Inspection {
  callable: 'function' | 'execute' | 'ai_sdk'
  /** The names of everything the module exports. */
  exports: string[]
}
