import { z } from 'zod'
import { AgentError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import { type AgentReply, agentReply, type EvalAgent } from './agent.ts'
import { withDisclosure } from './disclosures.ts'
import type { AgentMetadata } from './held-values.ts'
import { checkOptions, fields, lazySchema } from './options.ts'

/** An agent of `@agtlantis/eval` or its like, described by its shape: it answers `{ result, metadata }`. */
export interface AgtlantisAgent<Input, Output> {
  readonly config?: { readonly name: string } | undefined
  execute(
    input: Input,
    options?: unknown,
  ): PromiseLike<{ readonly result: Output; readonly metadata?: AgentMetadata | undefined }>
}

const agentSchema = lazySchema(() =>
  z.looseObject({
    config: z.looseObject({ name: fields.text() }).optional(),
    execute: fields.callable(),
  }),
)

/**
 * Makes an agent for `createEvalSuite` of one that answers `{ result, metadata }`: its `result` is the output, and
 * `metadata.tokenUsage` is its usage.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, fromAgtlantis } from 'vivavoce'
 *
 * const translator = {
 *   config: { name: 'translator' },
 *   prompt: { id: 'translate', version: '1.0.0', system: 'Translate to French.', renderUserPrompt: (text: string) => text },
 *   execute: async (text: string) => ({
 *     result: { french: text === 'Hello' ? 'Bonjour' : '?' },
 *     metadata: { tokenUsage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 } },
 *   }),
 * }
 * const { results } = await createEvalSuite({ agent: fromAgtlantis(translator) }).run([
 *   { input: 'Hello', expectedOutput: { french: 'Bonjour' } },
 * ])
 * assert.deepEqual([results[0]?.passed, results[0]?.usage.agent?.inputTokens], [true, 12])
 */
export function fromAgtlantis<Input, Output>(agent: AgtlantisAgent<Input, Output>): EvalAgent<Input, Output> {
  checkOptions(agentSchema, agent, 'fromAgtlantis')
  const made: EvalAgent<Input, Output> = {
    ...defined({ name: agent.config?.name }),
    execute: async (input: Input): Promise<AgentReply<Output>> => {
      const answer: unknown = await agent.execute(input)
      const result: unknown = isRecord(answer) ? await answer.result : undefined
      if (!isRecord(answer) || result === undefined)
        throw new AgentError('the agent answered without a `result`: it must answer { result, metadata }')
      if (typeof result === 'function')
        throw new AgentError('the `result` of the agent is a function: it must answer { result, metadata }')
      const metadata = isRecord(answer.metadata) ? answer.metadata : undefined
      const usage = readUsage(metadata?.tokenUsage)
      return agentReply(result as Output, defined({ metadata, usage }))
    },
  }
  return withDisclosure(made, agtlantisDisclosure)
}

/** `@agtlantis/eval` passes no options to an agent, which may mean anything by them: a context would change what it does. */
const agtlantisDisclosure = {
  tools:
    'replace fromAgtlantis, which passes on only the input, by { execute: (input, context) => … }: call the agent in it with context.tools({ lookUp, createOrder }), or return agentReply(result, { toolCalls })',
  usage: 'let the agent answer with `metadata.tokenUsage`',
}

/** Without the total, which is their sum. The names of the fields differ between its versions. */
function readUsage(usage: unknown) {
  if (!isRecord(usage)) return undefined
  const { inputTokens = usage.input, outputTokens = usage.output } = usage
  return defined({ inputTokens: tokens(inputTokens), outputTokens: tokens(outputTokens) })
}

function tokens(count: unknown): number | undefined {
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined
}
