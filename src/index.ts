export type { Agent, Session } from './agents/agent.ts'
export type { Check } from './assertions/check.ts'
export { AgentError, ConfigError, InfrastructureError, type Problem } from './errors.ts'
export {
  type AgentContext,
  type AgentReply,
  type Answer,
  agentReply,
  type EvalAgent,
  type ReplyDetails,
} from './library/agent.ts'
export { type AiUserOptions, aiUser } from './library/ai-user.ts'
export { compareReports, type ReportComparison } from './library/compare-reports.ts'
export {
  afterTurns,
  and,
  type BuiltCondition,
  fieldEquals,
  fieldIsSet,
  type Met,
  not,
  or,
  type TerminationCondition,
} from './library/conditions.ts'
export { createConnectorProvider } from './library/connector.ts'
export type {
  ConversationContext,
  ConversationTurn,
  FailedTurn,
  HistoryEntry,
} from './library/conversation-context.ts'
export {
  type AnySchema,
  accuracy,
  type Criterion,
  completeness,
  consistency,
  relevance,
  type SchemaOptions,
  safety,
  schema,
  type Validation,
  type ValidatorCriterion,
} from './library/criteria.ts'
export type { AgentMetadata } from './library/held-values.ts'
export {
  createJudge,
  type Judge,
  type JudgeOptions,
  type JudgeResult,
  type JudgeVerdict,
} from './library/judge.ts'
export type { JudgeContext } from './library/judge-context.ts'
export { type NaturalLanguageOptions, naturalLanguage } from './library/natural-language.ts'
export type { AiSdkModel, Provider } from './library/provider.ts'
export {
  createAnthropicProvider,
  createOpenAIProvider,
  createScriptedProvider,
  type ModelProvider,
  type ProviderOptions,
  type ScriptedAnswer,
} from './library/providers.ts'
export type { EvalReport, EvalSummary } from './library/report.ts'
export { reportToMarkdown } from './library/report-markdown.ts'
export {
  type EvalTestResult,
  type IterationStats,
  isIteratedResult,
  isMultiTurnResult,
  isSingleTurnResult,
  type MultiTurnIteratedResult,
  type MultiTurnIterationStats,
  type MultiTurnResult,
  type PlayedResult,
  type SingleTurnIteratedResult,
  type SingleTurnResult,
} from './library/results.ts'
export {
  createEvalSuite,
  type EvalRunOptions,
  type EvalSuite,
  type EvalSuiteConfig,
} from './library/suite.ts'
export {
  type FollowUpInput,
  isMultiTurnTestCase,
  type MultiTurn,
  type MultiTurnTestCase,
  type NextInput,
  type Outcome,
  type SingleTurnTestCase,
  type TestCase,
} from './library/test-case.ts'
export type { Model, ModelRequest } from './models/model.ts'
export { type Config, defineConfig } from './project/config-schema.ts'
export type { Reporter } from './reporters/reporter.ts'
export type { Key } from './results/key.ts'
export { readResults } from './results/read-results.ts'
export type { CaseResult, Fault, Status } from './results/result.ts'
export type { RunEvent } from './run-event.ts'
export type { Context } from './scope/context.ts'
export type { Scope } from './scope/scope.ts'
export type { CheckResult } from './transcript/check-result.ts'
export type { Message, ToolCall } from './transcript/message.ts'
export type { Reply } from './transcript/reply.ts'
export type { Input, Turn, View } from './transcript/turn.ts'
export { version } from './version.ts'
