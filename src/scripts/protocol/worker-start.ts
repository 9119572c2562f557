import type { MessagePort } from 'node:worker_threads'
import type { ModuleLine } from './module-request.ts'

/** What a worker thread is started with. */
export interface WorkerStart {
  port: MessagePort
  /** Rung by the host after every message, because the thread may be blocked waiting for one. */
  doorbell: Int32Array
  /** Raised by the worker as long as its event loop turns. */
  beats: Int32Array
  /** Raised by the host's main thread as long as the process is awake. */
  hostBeats: Int32Array
  /** It runs many calls at once, none of which may block it. */
  shared: boolean
  moduleLine: ModuleLine
}
