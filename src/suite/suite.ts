import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { suiteName } from '../scripts/protocol/suite-name.ts'
import { type EvalAgent, engineAgent } from './agent.ts'
import type { AnyTestCase, SuiteCaseSettings } from './compile-case.ts'
import type { Judge } from './judge.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { playableSuite } from './playable-suite.ts'
import type { EvalReport } from './report.ts'
import { type EvalRunOptions, runSuite } from './run-suite.ts'
import type { TestCase } from './test-case.ts'

/** What a suite tests: an agent, or a function that creates a new one for every case and iteration. */
export type EvalSuiteConfig<Input, Output> = {
  judge?: Judge | undefined
  /** What the agent is for: judges are told. */
  agentDescription?: string | undefined
} & (
  | { agent: EvalAgent<Input, Output>; createAgent?: undefined }
  | { createAgent: () => EvalAgent<Input, Output> | Promise<EvalAgent<Input, Output>>; agent?: undefined }
)

/** A suite: an agent with its judge, ready to run cases. */
export interface EvalSuite<Input, Output> {
  run(
    cases: Iterable<TestCase<Input, Output>>,
    options?: EvalRunOptions<Input, Output>,
  ): Promise<EvalReport<Input, Output>>
  /** The same suite with another agent. */
  withAgent(agent: EvalAgent<Input, Output>): EvalSuite<Input, Output>
}

const suiteConfig = lazySchema(() => {
  const hasMethod = (name: string) => (value: unknown) => typeof Object(value)[name] === 'function'
  return z
    .strictObject({
      agent: z.custom(hasMethod('execute'), 'has no execute(input, context)').optional(),
      createAgent: fields.callable().optional(),
      judge: z
        .custom(hasMethod('evaluate'), 'has no evaluate(context): make one with createJudge')
        .optional(),
      agentDescription: z.string().optional(),
    })
    .refine(
      ({ agent, createAgent }) => (agent === undefined) !== (createAgent === undefined),
      'needs either `agent` or `createAgent`',
    )
})

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
export function createEvalSuite<Input, Output>(
  config: EvalSuiteConfig<Input, Output>,
): EvalSuite<Input, Output> {
  checkOptions(suiteConfig, config, 'createEvalSuite')
  const { agent, createAgent, judge, agentDescription } = config
  const create = createAgent ?? (() => agent)
  const name = agent?.name ?? 'agent'
  const settings: SuiteCaseSettings = {
    ...(judge && { judge }),
    ...(agentDescription !== undefined && { agentDescription }),
  }
  const tested = engineAgent(name, create as Parameters<typeof engineAgent>[1])
  const suite: EvalSuite<Input, Output> = {
    withAgent: (other) => createEvalSuite({ agent: other, judge, agentDescription }),
    async run(cases, options = {}) {
      if (typeof cases?.[Symbol.iterator] !== 'function')
        throw new ConfigError({ code: 'no_cases', message: 'run() needs a list of test cases' })
      const given = { cases: [...cases] as AnyTestCase[], options: options as EvalRunOptions }
      const report = await runSuite({ ...given, agent: tested, settings })
      // The values are the caller's own, which the engine passes on as they are.
      return report as EvalReport<Input, Output>
    },
  }
  return Object.assign(suite, { [suiteName]: playableSuite(tested, settings) })
}
