export { type FakeOpenAIServer, startFakeOpenAIServer } from './fake-openai-server.ts'
export { createPlainScope } from './plain-scope.ts'
