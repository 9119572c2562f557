/** Fakes of model servers, and the checks that every agent adapter must pass. */

export { agentConformance, type ConformanceCheck } from './agents/agent-conformance.ts'
export {
  type FakeAnthropicServer,
  type FakeAnthropicServerOptions,
  startFakeAnthropicServer,
} from './models/fakes/fake-anthropic-server.ts'
export {
  type FakeOpenAIResponsesServer,
  type FakeOpenAIResponsesServerOptions,
  startFakeOpenAIResponsesServer,
} from './models/fakes/fake-openai-responses-server.ts'
export {
  type FakeAnswer,
  type FakeOpenAIServer,
  type FakeOpenAIServerOptions,
  startFakeOpenAIServer,
} from './models/fakes/fake-openai-server.ts'
export type { RecordedRequest } from './models/fakes/fake-server.ts'
export { createPlainScope, type PlainScopeOptions } from './scope/plain-scope.ts'
