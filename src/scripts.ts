/**
 * The types of the globals that scripts can use without an import. To make them known to the editor, write
 * `import type {} from 'vivavoce/scripts'` once in the project, or list the module under `types` in its tsconfig.
 *
 * @example
 * import type {} from 'vivavoce/scripts'
 *
 * export function TestRemembers(t: testing.T, ctx: agent.Context) {
 *   ctx.memory.chat.Set('guests', 4)
 *   t.assert.Equal(ctx.memory.chat.Get('guests'), 4)
 *   t.assert.Panic(() => {
 *     throw new Exception('no such table', 404)
 *   })
 * }
 */

import type { TestAssert, TestObject } from './scripts/protocol/testing.ts'
import type { createAgentCalls, createModelCalls, createToolCalls } from './scripts/worker/context/calling.ts'
import type { createMemory } from './scripts/worker/context/memory.ts'
import type { createMessaging, createTrace } from './scripts/worker/context/messaging.ts'
import type { createSearch } from './scripts/worker/context/search.ts'
import type { fileMethods } from './scripts/worker/globals/fs.ts'
import type { createHttp } from './scripts/worker/globals/http.ts'
import type { createLog } from './scripts/worker/globals/log.ts'
import type { storeMethods } from './scripts/worker/globals/store.ts'
import type { createTime } from './scripts/worker/globals/time.ts'

type Data = Record<string, unknown>
type Memory = ReturnType<typeof createMemory>

/** What a test, a check or a hook is given as `ctx`. */
export interface ScriptContext extends ReturnType<typeof createMessaging> {
  User: { ID: string; Name?: string }
  Team: { ID: string; Name?: string }
  Locale: string
  Client: { Type: string; IP: string; UserAgent?: string }
  Metadata: Data
  ChatID: string
  AssistantID: string
  chat_id: string
  assistant_id: string
  locale: string
  theme: string
  route: string
  referer: string
  accept: string
  client: { type: string; ip: string; user_agent?: string }
  metadata: Data
  /** Of a check, simulator or validator that is a script: the options that its author gave it. */
  options?: Data
  authorized: Data
  /** Shared by all scripts of a case. */
  variables: Data
  memory: { user: Memory; team: Memory; chat: Memory; context: Memory }
  trace: ReturnType<typeof createTrace>
  agent: ReturnType<typeof createAgentCalls>
  llm: ReturnType<typeof createModelCalls>
  mcp: ReturnType<typeof createToolCalls>
  /** Answered by mocks, or by `processes` of the config: `ctx.search.Web`. */
  search: ReturnType<typeof createSearch>
}

type Files = ReturnType<typeof fileMethods>
type Stored = ReturnType<typeof storeMethods>

export type { TestAssert, TestObject }

declare global {
  namespace testing {
    type T = TestObject
    type Assert = TestAssert
    /** What `TestMain` is given. */
    interface M {
      run(): Promise<void>
    }
  }
  namespace agent {
    type Context = ScriptContext
  }
  /** Calls a process: an agent, a function of the app, or what a mock or the config stands in for. */
  function Process<Result = unknown>(name: string, ...args: unknown[]): Result
  /** Lines in the log of the case: `log.Info("%s has %d items", name, count)`. */
  const log: ReturnType<typeof createLog>
  /** `time.Sleep(100)`: the script stands still. */
  const time: ReturnType<typeof createTime>
  /** Requests; a mock of `http.Get` stands in for one. */
  const http: ReturnType<typeof createHttp>
  /** `throw new Exception("not found", 404)` */
  class Exception extends Error {
    code: number
    constructor(message: string, code?: number)
  }
  /** Files below one folder of the app. */
  interface FS extends Files {}
  const FS: { new (name?: 'system' | 'data' | 'app' | 'script'): FS }
  /** Shared by all scripts of a case, by its name. */
  interface Store extends Stored {}
  const Store: { new (name: string): Store }
  /** Texts are not translated. */
  function $L(text: string): string
}
