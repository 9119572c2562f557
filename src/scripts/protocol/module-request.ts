import type { MessagePort } from 'node:worker_threads'
import type { Compiled } from '../compile/compile.ts'
import type { ImportCondition, Resolution } from '../compile/user-modules.ts'
import type { Place } from './place.ts'

/** A worker asks the host for a module, and is blocked until it has the answer. */
export type ModuleRequest =
  | { kind: 'resolve'; parent: string; specifier: string; condition: ImportCondition }
  | { kind: 'load'; file: string; jsonAsModule: boolean }

export type ModuleAnswer =
  | { resolution: Resolution }
  | { compiled: Compiled | undefined }
  | { error: { name: string; message: string; place: Place | undefined } }

/** The worker's end. */
export interface ModuleLine {
  port: MessagePort
  /** Raised by the host with every answer. */
  answers: Int32Array
}
