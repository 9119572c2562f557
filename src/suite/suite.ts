import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { suiteName } from '../scripts/protocol/suite-name.ts'
import { isSdkAgent } from '../scripts/worker/calls/ai-sdk-shape.ts'
import { listAgentTools } from '../scripts/worker/calls/generate.ts'
import { type CreateAgent, type EvalAgent, engineAgent, isSuiteAgent } from './agent.ts'
import type { AiSdkAgent, AiSdkOutput } from './ai-sdk-agent.ts'
import type { AnyTestCase, SuiteCaseSettings } from './compile-case.ts'
import type { Judge } from './judge.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { playableSuite } from './playable-suite.ts'
import type { EvalReport } from './report.ts'
import type { EvalRunOptions } from './run-options.ts'
import { runSuite } from './run-suite.ts'
import type { TestCase } from './test-case.ts'

interface JudgedConfig {
  judge?: Judge | undefined
  /** What the agent is for: judges are told. */
  agentDescription?: string | undefined
}

/** One agent for all cases, or a function that creates a new one for every case and iteration. */
type Tested<Agent> =
  | { agent: Agent; createAgent?: undefined }
  | { createAgent: () => Agent | Promise<Agent>; agent?: undefined }

/** What a suite tests: an agent, or a function that creates a new one for every case and iteration. */
export type EvalSuiteConfig<Input, Output> = JudgedConfig & Tested<EvalAgent<Input, Output>>

/** What a suite tests: an agent of the AI SDK, taken as it is. Its inputs are texts. */
export type AiSdkSuiteConfig<Output> = JudgedConfig & Tested<AiSdkAgent<Output>>

/** A suite: an agent with its judge, ready to run cases. */
export interface EvalSuite<Input, Output> {
  run(
    cases: Iterable<TestCase<Input, Output>>,
    options?: EvalRunOptions<Input, Output>,
  ): Promise<EvalReport<Input, Output>>
  /** Returns the cases as they are, with their types checked: `export const cases = suite.cases([…])`. */
  cases(cases: readonly TestCase<Input, Output>[]): readonly TestCase<Input, Output>[]
  /** The same suite with another agent. */
  withAgent(agent: EvalAgent<Input, Output> | SameAiSdkAgent<Input, Output>): EvalSuite<Input, Output>
}

/** One that takes and answers the same. */
type SameAiSdkAgent<Input, Output> = [Input] extends [string]
  ? AiSdkAgent<Output extends string ? string : Output>
  : never

const suiteConfig = lazySchema(() =>
  z
    .strictObject({
      agent: z
        .custom(isSuiteAgent, 'has no execute(input, context), and is no agent of the AI SDK')
        .optional(),
      createAgent: fields.callable().optional(),
      judge: fields.judge().optional(),
      agentDescription: z.string().optional(),
    })
    .refine(
      ({ agent, createAgent }) => (agent === undefined) !== (createAgent === undefined),
      'needs either `agent` or `createAgent`',
    ),
)

/**
 * Creates a suite that runs test cases against an agent.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite } from 'vivavoce'
 *
 * const agent = { name: 'shout', execute: (text: string) => text.toUpperCase() }
 * const report = await createEvalSuite({ agent }).run([
 *   { id: 'loud', input: 'hello', expectedOutput: 'HELLO' },
 *   { id: 'wrong', input: 'hello', expectedOutput: 'hello' },
 * ])
 * assert.deepEqual(
 *   report.results.map(({ id, passed }) => [id, passed]),
 *   [['loud', true], ['wrong', false]],
 * )
 * assert.equal(report.exitCode, 1)
 */
export function createEvalSuite<Output>(
  config: AiSdkSuiteConfig<Output>,
): EvalSuite<string, AiSdkOutput<Output>>
export function createEvalSuite<Input, Output>(
  config: EvalSuiteConfig<Input, Output>,
): EvalSuite<Input, Output>
export function createEvalSuite<Input, Output>(
  config: EvalSuiteConfig<Input, Output> | AiSdkSuiteConfig<Output>,
): EvalSuite<Input, Output> {
  checkOptions(suiteConfig, config, 'createEvalSuite')
  const { agent, createAgent, judge, agentDescription } = config
  const create = createAgent ?? (() => agent)
  const name = nameOf(agent) ?? 'agent'
  const settings: SuiteCaseSettings = {
    ...(judge && { judge }),
    ...(agentDescription !== undefined && { agentDescription }),
    ...defined({ tools: isSdkAgent(agent) ? listAgentTools(agent) : undefined }),
  }
  const tested = (stubAll = false) => engineAgent(name, create as CreateAgent, stubAll)
  const suite: EvalSuite<Input, Output> = {
    cases: (cases) => cases,
    // It takes and answers the same, whatever kind of agent it is.
    withAgent: (other) =>
      createEvalSuite({ agent: other as EvalAgent<Input, Output>, judge, agentDescription }),
    async run(cases, options = {}) {
      if (typeof cases?.[Symbol.iterator] !== 'function')
        throw new ConfigError({ code: 'no_cases', message: 'run() needs a list of test cases' })
      const given = { cases: [...cases] as AnyTestCase[], options: options as EvalRunOptions }
      const report = await runSuite({ ...given, agent: tested(options.stubAll), settings })
      // The values are the caller's own, which the engine passes on as they are.
      return report as EvalReport<Input, Output>
    },
  }
  return Object.assign(suite, { [suiteName]: playableSuite(tested, settings) })
}

function nameOf(agent: { name?: string | undefined } | { id?: string | undefined } | undefined) {
  if (agent === undefined) return undefined
  return 'name' in agent ? agent.name : 'id' in agent ? agent.id : undefined
}
