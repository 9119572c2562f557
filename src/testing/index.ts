export { createPlainScope, type PlainScopeOptions } from '../scope/plain-scope.ts'
export { agentConformance, type ConformanceCheck } from './agent-conformance.ts'
export {
  type FakeAnthropicServer,
  type FakeAnthropicServerOptions,
  startFakeAnthropicServer,
} from './fake-anthropic-server.ts'
export {
  type FakeAnswer,
  type FakeOpenAIServer,
  type FakeOpenAIServerOptions,
  startFakeOpenAIServer,
} from './fake-openai-server.ts'
export type { RecordedRequest } from './fake-server.ts'
