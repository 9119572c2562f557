import { describe, expectTypeOf, it } from 'vitest'
import type { ToolCall } from '../results/transcript/message.ts'
import type { AgentContext } from './agent.ts'
import { aiUser } from './ai-user.ts'
import { afterTurns, and, fieldEquals, fieldIsSet, not, or } from './conditions.ts'
import type {
  ConversationContext,
  ConversationTurn,
  FailedTurn,
  HistoryEntry,
} from './conversation-context.ts'
import { accuracy } from './criteria.ts'
import type { FieldPath, FieldValue } from './field-path.ts'
import { createJudge } from './judge.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'
import type { MultiTurnTestCase } from './test-case.ts'

interface Input {
  message: string
}

interface Wide extends Input {
  kind: 'order' | 'question'
  notes?: string[]
}

interface Output {
  reply: string
  booking: { status: 'pending' | 'confirmed'; guests?: number; rooms: { beds: number }[] }
}

type Conversation = MultiTurnTestCase<Input, Output>['multiTurn']

/** What does not compile is marked so: where it did, the compiler would complain of the mark. */
describe('the types of suites', () => {
  const suite = createEvalSuite({
    agent: {
      async execute(_input: Input): Promise<Output> {
        return { reply: '', booking: { status: 'pending', rooms: [] } }
      },
    },
  })
  const provider = createScriptedProvider(['x'])

  it('know the fields of an output and what may stand there', () => {
    expectTypeOf<FieldPath<Output>>().toExtend<string>()
    expectTypeOf<'booking.rooms.0.beds'>().toExtend<FieldPath<Output>>()
    expectTypeOf<FieldValue<Output, 'booking.status'>>().toEqualTypeOf<'pending' | 'confirmed'>()
    expectTypeOf<FieldValue<Output, 'booking.guests'>>().toEqualTypeOf<number>()
    const right: Conversation['terminateWhen'] = [
      fieldEquals('booking.status', 'confirmed'),
      fieldIsSet('booking.guests'),
      afterTurns(3),
      and(fieldEquals('booking.status', 'confirmed'), not(fieldIsSet('booking.guests'))),
      or(fieldIsSet('reply'), ({ lastOutput }) => lastOutput?.booking.status === 'confirmed'),
    ]
    // @ts-expect-error: there is no such field
    const misspelt: Conversation['terminateWhen'] = [fieldEquals('booking.staus', 'confirmed')]
    // @ts-expect-error: it is never that
    const impossible: Conversation['terminateWhen'] = [fieldEquals('booking.status', 'done')]
    // @ts-expect-error: there is no such field
    const missing: Conversation['terminateWhen'] = [fieldIsSet('booking.guest')]
    expectTypeOf([right, misspelt, impossible, missing]).toBeArray()
  })

  it('infer inputs and outputs from the agent', () => {
    type Report = Awaited<ReturnType<typeof suite.run>>
    type Result = Report['results'][number]
    expectTypeOf<Result['output']>().toEqualTypeOf<Output | undefined>()
    expectTypeOf<Extract<Result, { kind: 'multi-turn' }>['conversationHistory'][number]>().toEqualTypeOf<
      HistoryEntry<Input, Output> | FailedTurn<Input>
    >()
    expectTypeOf<HistoryEntry<Input, Output>['output']>().toEqualTypeOf<Output>()
  })

  it('infer the inputs of a simulated user from what its functions are given, not from what they return', () => {
    const asked = (context: ConversationContext<Wide, Output>) => context.history.length.toString()
    const build = (message: string) => ({ kind: 'order' as const, message, notes: [message] })
    const apart = aiUser({ provider, systemPrompt: 'x', formatHistory: asked, buildInput: build })
    const followUps: MultiTurnTestCase<Wide, Output>['multiTurn']['followUpInputs'] = [
      { input: apart },
      { input: aiUser({ provider, systemPrompt: 'x', formatHistory: asked, buildInput: build }) },
      {
        input: aiUser({ provider, systemPrompt: 'x', buildInput: (message) => ({ kind: 'order', message }) }),
      },
      { input: aiUser({ provider, systemPrompt: ({ history }) => history[0]?.output.reply ?? '' }) },
      // @ts-expect-error: there is no such kind
      { input: aiUser({ provider, systemPrompt: 'x', buildInput: (message) => ({ kind: 'x', message }) }) },
    ]
    const other = aiUser({ provider, systemPrompt: 'x', buildInput: (message): Input => ({ message }) })
    expectTypeOf(other).returns.resolves.toEqualTypeOf<Input>()
    // @ts-expect-error: its inputs have no kind
    const wrong: typeof followUps = [{ input: other }]
    expectTypeOf([followUps, wrong]).toBeArray()
  })

  it('let a simulated user without buildInput begin only where inputs are texts', () => {
    const user = aiUser({ provider, systemPrompt: 'x' })
    const asking = createEvalSuite({ agent: { execute: async (input: string) => ({ said: input }) } })
    const cases = () => [
      asking.run([{ input: user }, { input: aiUser({ provider, systemPrompt: 'x' }) }]),
      asking.run([{ input: ({ currentTurn }) => `turn ${currentTurn}` }]),
      suite.run([{ input: aiUser({ provider, systemPrompt: 'x', buildInput: (message) => ({ message }) }) }]),
      suite.run([{ input: ({ currentTurn }) => ({ message: `turn ${currentTurn}` }) }]),
      // @ts-expect-error: a text is no input of this agent
      suite.run([{ input: user }]),
      // @ts-expect-error: a text is no input of this agent
      suite.run([{ input: aiUser({ provider, systemPrompt: 'x' }) }]),
    ]
    expectTypeOf(cases).toBeFunction()
  })

  it('let criteria have only the keys of their kind', () => {
    const base = { id: 'a', name: 'A', description: 'a', weight: 2 }
    const validate = () => ({ score: 1, reasoning: '' })
    const misjudging = { ...base, validate: () => 5 }
    const judges = () => [
      createJudge({ provider, criteria: ['It is polite', base, accuracy(), { ...base, validate }] }),
      createJudge({ criteria: [{ ...base, validate, usesExpectedOutput: true }] }),
      // @ts-expect-error: no such key
      createJudge({ provider, criteria: [{ id: 'a', name: 'A', description: 'a', wieght: 2 }] }),
      // @ts-expect-error: a criterion has an id
      createJudge({ provider, criteria: [{ name: 'A', description: 'a' }] }),
      // @ts-expect-error: a model always has the expected output
      createJudge({ provider, criteria: [{ ...base, usesExpectedOutput: true }] }),
      // @ts-expect-error: validate gives a score and its reasoning
      createJudge({ criteria: [misjudging] }),
    ]
    expectTypeOf(judges).toBeFunction()
  })

  it('wrap functions and tools, and nothing else', () => {
    const lookUp = async ({ id }: { id: string }) => ({ id })
    const tools = ({ tools: wrap }: AgentContext) => [
      wrap({ lookUp, sum: (one: number, other: number) => one + other, tool: { execute: lookUp } }),
      // @ts-expect-error: a number is no tool
      wrap({ lookUp, f: 5 }),
      // @ts-expect-error: a text is no tool
      wrap({ f: 'lookUp' }),
      // @ts-expect-error: nothing is no tool
      wrap({ f: undefined }),
      // @ts-expect-error: tools are in an object
      wrap('lookUp'),
    ]
    expectTypeOf(tools).toBeFunction()
  })

  it('have tool calls in every turn', () => {
    expectTypeOf<ConversationTurn['toolCalls']>().toEqualTypeOf<readonly ToolCall[]>()
    expectTypeOf<FailedTurn['toolCallsKnown']>().toEqualTypeOf<false>()
  })

  it('refuse what is misspelt', () => {
    const wrong = () => [
      // @ts-expect-error: no such option
      suite.run([], { iteration: 3 }),
      // @ts-expect-error: no such gate
      suite.run([], { gates: { cases: 0.9 } }),
      // @ts-expect-error: no such layer
      suite.run([], { replay: 'calls.jsonl', live: ['modle'] }),
      // @ts-expect-error: a baseline is a file or a report
      suite.run([], { baseline: 3 }),
      // @ts-expect-error: a number, or auto
      suite.run([], { iterations: 'many' }),
      // @ts-expect-error: no such field
      suite.run([{ input: { mesage: 'x' } }]),
      // @ts-expect-error: no such key
      suite.run([{ input: { message: 'x' }, multiturn: {} }]),
      // @ts-expect-error: what the agent said is an output
      suite.run([{ input: { message: 'x' }, messages: [{ role: 'assistant', content: { message: 'x' } }] }]),
      // @ts-expect-error: it makes no input of this agent
      suite.run([{ input: () => 'x' }]),
      // @ts-expect-error: no such type of assertion
      suite.run([{ input: { message: 'x' }, assert: { type: 'contain', value: 'x' } }]),
      // @ts-expect-error: no such key in it
      suite.run([{ input: { message: 'x' }, assert: [{ type: 'contains', vaule: 'x' }] }]),
      // @ts-expect-error: a suite has no MCP servers
      suite.run([{ input: { message: 'x' }, assert: { type: 'state', call: { tool: 'a' }, value: 1 } }]),
      // @ts-expect-error: a criterion has a description
      suite.run([{ input: { message: 'x' }, criteria: [{ id: 'a', name: 'A' }] }]),
      // @ts-expect-error: conditions are needed
      suite.run([{ input: { message: 'x' }, multiTurn: { followUpInputs: [] } }]),
      // @ts-expect-error: either of them, not both
      createEvalSuite({ agent: { execute: async () => 1 }, createAgent: () => ({ execute: async () => 1 }) }),
    ]
    expectTypeOf(wrong).toBeFunction()
  })

  it('infer the output also where the context is looked at', () => {
    const looking = createEvalSuite({
      agent: { execute: async (input: number, { turn }) => ({ sum: input + turn }) },
    })
    expectTypeOf(looking.run).parameter(0).toExtend<
      Iterable<{
        input: number | ((...given: never[]) => unknown)
        expectedOutput?: { sum: number } | undefined
      }>
    >()
  })

  it('take outputs that hold themselves', () => {
    interface Tree {
      value: number
      children: Tree[]
    }
    type Ends = MultiTurnTestCase<string, Tree>['multiTurn']['terminateWhen']
    const right: Ends = [fieldEquals('value', 1), fieldEquals('children.0.children.1.value', 1)]
    // @ts-expect-error: there is no such field
    const misspelt: Ends = [fieldEquals('children.0.valu', 1)]
    expectTypeOf([right, misspelt]).toBeArray()
  })

  it('take criteria that are judged by code as they are written', () => {
    const id = { id: 'short', name: 'Short', description: 'It is short' }
    createJudge({
      criteria: [{ ...id, validate: ({ output }) => ({ score: output === '' ? 0 : 100, reasoning: '' }) }],
    })
  })
})
