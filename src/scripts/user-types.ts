/**
 * The types of what scripts find without importing it. A project that wants them in its editor writes
 * `import type {} from 'vivavoce/scripts'` once, or lists the module under `types` of its tsconfig.
 */
import type { createAgentCalls, createModelCalls, createToolCalls } from './context/calling.ts'
import type { createMemory } from './context/memory.ts'
import type { createMessaging, createTrace } from './context/messaging.ts'
import type { TestAssert, TestObject } from './tests/testing.ts'

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
  authorized: Data
  /** Shared by all scripts of a case. */
  variables: Data
  memory: { user: Memory; team: Memory; chat: Memory; context: Memory }
  trace: ReturnType<typeof createTrace>
  agent: ReturnType<typeof createAgentCalls>
  llm: ReturnType<typeof createModelCalls>
  mcp: ReturnType<typeof createToolCalls>
}

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
}
