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

/** An agent, or a function that makes a fresh one for every case and iteration. */
export type EvalSuiteConfig<Input, Output> = {
  judge?: Judge | undefined
  /** What the agent is for: judges are told. */
  agentDescription?: string | undefined
} & (
  | { agent: EvalAgent<Input, Output>; createAgent?: undefined }
  | { createAgent: () => EvalAgent<Input, Output> | Promise<EvalAgent<Input, Output>>; agent?: undefined }
)

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
