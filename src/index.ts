/** Suites in TypeScript: cases, conditions, simulated users and judges as code, and the types of viva's contracts. */

export type { Agent, Session } from './agents/agent.ts'
export type { ModuleContext } from './agents/module-context.ts'
export type { CaseInput as Case } from './cases/case-type.ts'
export { defineCases } from './cases/define-cases.ts'
export type { Check } from './checks/check.ts'
export { AgentError, ConfigError, InfrastructureError, type Problem } from './errors.ts'
export type { Model, ModelRequest } from './models/model.ts'
export { defineConfig } from './project/config-schema.ts'
export type { ConfigInput as Config } from './project/config-type.ts'
export type { Reporter } from './reporters/reporter.ts'
export type { Key } from './results/key.ts'
export { readResults } from './results/read-results.ts'
export type { CaseResult, Fault, Status } from './results/result.ts'
export type { RunEvent } from './results/run-event.ts'
export type { CheckResult } from './results/transcript/check-result.ts'
export type { Message, ToolCall } from './results/transcript/message.ts'
export type { Reply } from './results/transcript/reply.ts'
export type { Input, Turn, View } from './results/transcript/turn.ts'
export type { Context } from './scope/context.ts'
export type { Scope } from './scope/scope.ts'
export {
  type AgentContext,
  type AgentReply,
  type Answer,
  agentReply,
  type EvalAgent,
  type ReplyDetails,
} from './suite/agent.ts'
export { type AgtlantisAgent, fromAgtlantis } from './suite/agtlantis.ts'
export type { AiSdkAgent, AiSdkOutput } from './suite/ai-sdk-agent.ts'
export { type AiUserOptions, aiUser } from './suite/ai-user.ts'
export type { SuiteAssertion as Assertion, SuiteAssertions as Assertions } from './suite/assertions.ts'
export { compareReports, type ReportComparison } from './suite/compare-reports.ts'
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
} from './suite/conditions.ts'
export { createConnectorProvider } from './suite/connector.ts'
export type {
  ConversationContext,
  ConversationTurn,
  FailedTurn,
  HistoryEntry,
} from './suite/conversation-context.ts'
export {
  type AnySchema,
  accuracy,
  type Criterion,
  completeness,
  consistency,
  relevance,
  type SchemaOptions,
  type SuiteCriterion as JudgeCriterion,
  safety,
  schema,
  type Validation,
  type ValidatorCriterion,
} from './suite/criteria.ts'
export type { AgentMetadata } from './suite/held-values.ts'
export {
  createJudge,
  type Judge,
  type JudgeOptions,
  type JudgeResult,
  type JudgeVerdict,
} from './suite/judge.ts'
export type { JudgeContext } from './suite/judge-context.ts'
export { type NaturalLanguageOptions, naturalLanguage } from './suite/natural-language.ts'
export { type EvalProject, type GeneratedCase, openProject, type ProjectOptions } from './suite/project.ts'
export type { AiSdkModel, Provider, ProviderOrAgent } from './suite/provider.ts'
export {
  createAnthropicProvider,
  createOpenAIProvider,
  createScriptedProvider,
  type ModelProvider,
  type ProviderOptions,
  type ScriptedAnswer,
} from './suite/providers.ts'
export type { EvalReport, EvalSummary } from './suite/report.ts'
export { reportToMarkdown } from './suite/report-markdown.ts'
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
} from './suite/results.ts'
export type { EvalBudget, EvalGates, EvalRunOptions } from './suite/run-options.ts'
export {
  type AiSdkSuiteConfig,
  createEvalSuite,
  type EvalSuite,
  type EvalSuiteConfig,
} from './suite/suite.ts'
export {
  type EarlierMessage,
  type EarlierToolCall,
  type FollowUpInput,
  isMultiTurnTestCase,
  type MultiTurn,
  type MultiTurnTestCase,
  type NextInput,
  type Outcome,
  type SingleTurnTestCase,
  type SuiteStubs as Stubs,
  type TestCase,
} from './suite/test-case.ts'
export { version } from './version.ts'
