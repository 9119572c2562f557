export { agentConformance, type ConformanceCheck } from './agent-conformance.ts'
export {
  type FakeAnswer,
  type FakeOpenAIServer,
  type FakeOpenAIServerOptions,
  type RecordedRequest,
  startFakeOpenAIServer,
} from './fake-openai-server.ts'
export { createPlainScope, type PlainScopeOptions } from './plain-scope.ts'
