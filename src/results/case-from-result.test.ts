import { describe, expect, it } from 'vitest'
import type { Agent, Session } from '../agents/agent.ts'
import type { FindFile } from '../cases/attached-file.ts'
import { compileCase } from '../cases/compile.ts'
import { caseEntry, hashCase } from '../cases/entry.ts'
import type { Speakers } from '../cases/speakers.ts'
import { type CaseSurroundings, validateCase } from '../cases/validate.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { assertionSchema } from '../checks/list.ts'
import { playConversation } from '../conversation/play.ts'
import { decideVerdict } from '../conversation/verdict.ts'
import { AgentError } from '../errors.ts'
import { emptyResult } from '../run/empty-result.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createCaseFromResult } from './case-from-result.ts'
import { resultToLine } from './line.ts'
import { type CheckLine, type ResultLine, resultLineSchema } from './line-schema.ts'
import { playedTurns } from './skipped-turn.ts'
import type { Message } from './transcript/message.ts'
import type { Reply } from './transcript/reply.ts'
import { listMessages } from './transcript/turn.ts'
import { checkFromLine } from './turn-line.ts'

const key = { file: 'a.jsonl', id: 'T1', variant: 'support', run: 1, attempt: 1 }

function createReply(content: string): Reply {
  return { output: content, content, messages: [{ role: 'assistant', content }], toolCalls: [] }
}

/** A user who sends these messages and then has reached the goal. */
function createSpeakers(messages: readonly string[]): Speakers {
  const left = [...messages]
  const agent: Agent = {
    id: 'user',
    input: 'any',
    history: 'given',
    tools: 'hidden',
    open: async () => ({
      send: async () =>
        createReply(JSON.stringify({ message: left.shift() ?? '', goal_achieved: left.length === 0 })),
      close: async () => {},
    }),
  }
  return { simulators: { problem: () => undefined, agent: async () => agent }, interactive: false }
}

const findFile: FindFile = (source) => ({
  path: `/project/${source.split('/').at(-1)}`,
  mediaType: source.endsWith('.png') ? 'image/png' : 'text/plain',
})

function surroundingsOf(speakers: Speakers): CaseSurroundings {
  const limits = {
    agentId: 'support',
    anyInput: true,
    connectors: 'own',
    history: 'given',
    tools: 'served',
    toolsOf: 'support',
    connectorProblem: () => undefined,
    presetProblem: () => undefined,
  } as const
  return { limits, findFile, helpers: noCheckHelpers, speakers }
}

interface Played {
  /** Why the case is not played. */
  refused: string[]
  /** The messages that the agent received, turn by turn. */
  heard: Message[][]
  line?: ResultLine
}

/** Plays a case as viva does and reads the result back from its line. */
async function play(written: unknown, simulated: readonly string[] = [], failure?: Error): Promise<Played> {
  const speakers = createSpeakers(simulated)
  const validated = validateCase(written, surroundingsOf(speakers))
  if (!validated.ok) return { refused: validated.issues.map(({ message }) => message), heard: [] }
  const { authored } = validated
  const { plan, expected } = compileCase(authored, { helpers: noCheckHelpers, speakers, findFile })
  const heard: Message[][] = []
  const session: Session = {
    async send({ input, view }) {
      heard.push([...listMessages(view), input.message])
      if (failure) throw failure
      return createReply('{"total": 20}')
    },
    close: async () => {},
  }
  const conversation = await playConversation(plan, session, createPlainScope())
  const { view, termination, checkpoints, finals, unevaluated } = conversation
  const entry = caseEntry(authored, hashCase(written), { file: key.file, line: 1, at: { inline: authored } })
  const result = {
    ...emptyResult(entry, { ...key, id: authored.id }),
    ...decideVerdict(conversation, plan),
    ...(expected === undefined ? {} : { expected }),
    ...{ singleTurn: plan.singleTurn, view, termination, checkpoints, finals, unevaluated },
  }
  return {
    refused: [],
    heard,
    line: resultLineSchema.parse(JSON.parse(JSON.stringify(resultToLine(result)))),
  }
}

async function playToLine(
  written: object,
  simulated: readonly string[] = [],
  failure?: Error,
): Promise<ResultLine> {
  const { refused, line } = await play({ id: 'T1', ...written }, simulated, failure)
  expect(refused).toEqual([])
  if (line === undefined) throw new Error('the case was not played')
  return line
}

/** The case as a user would paste it into a file. */
function pasted(line: ResultLine): unknown {
  return JSON.parse(JSON.stringify(createCaseFromResult(line)))
}

/** The checks of each turn and the final checks, as their author wrote them, with their status. */
function checksIn(line: ResultLine | undefined) {
  const shown = (checks: CheckLine[] = []) =>
    checks.map(checkFromLine).map(({ type, status, gates, fields }) => ({ type, status, gates, fields }))
  return {
    turns: (line?.turns ? playedTurns(line) : line === undefined ? [] : [line]).map(({ assertions }) =>
      shown(assertions),
    ),
    finals: shown(line?.final_assertions),
  }
}

const contains = { type: 'contains', value: 'total' }
const asks = { role: 'user', content: 'Can you help?' }
const answers = { role: 'assistant', content: 'With what?' }
const calls = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"order":{"id":4711}}' } },
      { id: 'c2', function: { name: 'list', arguments: '' } },
      { id: 'c3', function: { name: 'find', arguments: '{"broken' } },
    ],
  },
  { role: 'tool', content: '{"status":"sent"}', tool_call_id: 'c1', name: 'find' },
]
const parts = [
  { type: 'text', text: 'What is this?' },
  { type: 'data', data: { page: 1 } },
]
const photo = { type: 'image', source: 'file://photo.png' }
const person = { use: 'user', goal: 'a refund' }

const conversations: [string, object, string[]?][] = [
  ['a text', { input: 'hi' }],
  ['an empty text', { input: '' }],
  ['a message', { input: asks }],
  ['a message with a name', { input: { ...asks, name: 'ada' } }],
  ['data for a module', { input: { city: 'Rome', nights: [1, 2] } }],
  ['a prompt and a message', { input: [{ role: 'system', content: 'be kind' }, asks] }],
  [
    'a history with tool calls',
    { messages: [asks, ...calls, answers, { role: 'user', content: 'an order' }] },
  ],
  ['a history, and a message with a name', { messages: [asks, answers, { ...asks, name: 'ada' }] }],
  ['content parts', { input: { role: 'user', content: parts } }],
  ['a history, and content parts', { messages: [asks, answers, { role: 'user', content: parts }] }],
  ['a history with content parts', { messages: [{ role: 'user', content: parts }, answers, asks] }],
  [
    'an image of the web',
    { input: { role: 'user', content: [{ type: 'image', source: 'https://a.test/b.png' }] } },
  ],
  [
    'an attached file',
    { input: 'look', attachments: [photo, { type: 'file', source: 'file://a.txt', name: 'A' }] },
  ],
  [
    'a file as OpenAI has it',
    {
      input: {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'file://photo.png', detail: 'low' } }],
      },
    },
  ],
  ['a history with a file', { messages: [{ role: 'user', content: [photo] }, answers, asks] }],
  [
    'several turns',
    { turns: [{ input: 'a', description: 'greets' }, { input: asks }, { input: { city: 'Rome' } }] },
  ],
  ['one turn of several', { type: 'multi_turn', input: 'hi' }],
  ['a turn with content parts', { turns: [{ input: 'a' }, { input: { role: 'user', content: parts } }] }],
  ['a turn with an attached file', { turns: [{ input: 'a' }, { input: 'look', attachments: [photo] }] }],
  ['turns after a history', { messages: [asks, answers], turns: [{ input: 'a' }, { input: 'b' }] }],
  ['turns after a history that the user ends', { messages: [asks, answers, asks], turns: [{ input: 'b' }] }],
  ['a simulated user', { simulator: person }, ['My money!', 'Thanks']],
  ['a simulated user after an opening', { input: 'hi', simulator: person }, ['My money!']],
  [
    'a simulated user after a history',
    { messages: [asks, answers], simulator: person },
    ['My money!', 'Thanks'],
  ],
  [
    'a simulated user after a prompt',
    { messages: [{ role: 'system', content: 'be kind' }, asks], simulator: person },
    ['Thanks'],
  ],
]

const checked: [string, object, string[]?][] = [
  ['one check', { input: 'hi', assert: contains }],
  [
    'checks of many kinds',
    {
      input: 'hi',
      assert: [
        { type: 'equals', value: null, negate: true },
        { type: 'equals', value: { total: 20 }, message: 'the total', weight: 2 },
        { type: 'json_path', path: '$.total', value: 20 },
        { type: 'regex', value: '^\\{', gates: false },
        { type: 'similar', value: ['a', 'b'], method: 'tokens', threshold: 0.5 },
        { type: 'tool_called', name: 'find', arguments: { order: 1 } },
        { type: 'judge', criteria: ['It is polite'], samples: 3 },
        {
          type: 'any_of',
          assertions: [contains, { type: 'all_of', assertions: [contains, { ...contains, weight: 3 }] }],
        },
        { ...contains, scope: 'any' },
      ],
    },
  ],
  ['what is expected', { input: 'hi', expected: { total: 20 } }],
  [
    'checks of turns and of the end',
    {
      turns: [
        { input: 'a', expected: 'x' },
        { input: 'b' },
        { input: 'c', assert: [contains, { ...contains, turn: 1 }] },
      ],
      assert: contains,
      final_assertions: [{ ...contains, scope: 'all', gates: false }],
    },
  ],
  ['a check at the end of a single turn', { input: 'hi', final_assertions: contains }],
  [
    'a check of a simulated conversation',
    { simulator: person, final_assertions: { ...contains, turn: 2 } },
    ['a', 'b'],
  ],
]

describe('a case made from a result', () => {
  it.each(conversations)(
    'with %s is valid and sends the same to the agent',
    async (_, written, simulated) => {
      const before = await play({ id: 'T1', ...written }, simulated)
      expect(before.refused).toEqual([])
      const after = await play(pasted(before.line as ResultLine))
      expect(after.refused).toEqual([])
      expect(after.heard).toEqual(before.heard)
      expect(after.heard).not.toEqual([])
    },
  )

  it.each(checked)('with %s is valid and has the same checks', async (_, written, simulated) => {
    const before = await playToLine(written, simulated)
    const { refused, line } = await play(pasted(before))
    expect(refused).toEqual([])
    expect(checksIn(line)).toEqual(checksIn(before))
  })

  it('has the id, name and tags of the original', async () => {
    const common = { id: 'T 7', name: 'A refund', tags: ['smoke', 'area:billing'] }
    expect(pasted(await playToLine({ ...common, input: 'hi' }))).toEqual({ ...common, input: 'hi' })
    expect(pasted(await playToLine({ ...common, turns: [{ input: 'hi' }] }))).toEqual({
      ...common,
      turns: [{ input: 'hi' }],
    })
  })

  it('has no other fields than the original', async () => {
    expect(pasted(await playToLine({ input: 'hi' }))).toEqual({ id: 'T1', input: 'hi' })
  })

  it('has the messages of a simulated user as turns', async () => {
    const line = await playToLine({ input: 'hi', simulator: person }, ['My money!'])
    expect(pasted(line)).toEqual({ id: 'T1', turns: [{ input: 'hi' }, { input: 'My money!' }] })
  })

  it.each<[string, object[]]>([
    [
      'a result of a tool',
      [
        { role: 'user', content: 'a' },
        { role: 'tool', content: 'b', tool_call_id: '1' },
      ],
    ],
    ['a system message', [{ role: 'system', content: 'a' }]],
  ])('keeps the checks of the first turn after a history that ends with %s', async (_, messages) => {
    const written = { messages, turns: [{ input: 'hi', assert: [contains] }] }
    expect(pasted(await playToLine(written))).toEqual({ id: 'T1', ...written })
  })

  it('keeps the descriptions of turns', async () => {
    const turns = [{ input: 'a', description: 'greets' }, { input: 'b' }]
    expect(pasted(await playToLine({ turns }))).toEqual({ id: 'T1', turns })
  })

  it('has the checks as they were written, without their results', async () => {
    const assert = [
      { type: 'equals', value: { total: 21 } },
      { ...contains, gates: false, message: 'a total' },
    ]
    expect(pasted(await playToLine({ input: 'hi', assert }))).toEqual({ id: 'T1', input: 'hi', assert })
  })

  it('keeps `expected` for judges and scripts', async () => {
    const line = await playToLine({
      input: 'hi',
      expected: '20 euros',
      assert: { type: 'judge', criteria: 'It is polite' },
    })
    expect(pasted(line)).toMatchObject({ expected: '20 euros' })
  })

  it('repeats a message that the agent did not answer', async () => {
    const line = await playToLine({ turns: [{ input: 'a' }, { input: 'b' }] }, [], new AgentError('broke'))
    expect(pasted(line)).toEqual({ id: 'T1', turns: [{ input: 'a' }] })
  })

  it('is valid when a check was for a turn that was never played', async () => {
    const line = await playToLine({ simulator: person, final_assertions: { ...contains, turn: 5 } }, [
      'a',
      'b',
    ])
    expect((await play(pasted(line))).refused).toEqual([])
  })

  it.each<[string, Partial<ResultLine>]>([
    ['a script test', { kind: 'script', script: { assertions: 1 } }],
    ['a skipped case', { status: 'skipped', total_turns: 0 }],
    ['a conversation without turns', { mode: 'multi_turn', turns: [], total_turns: 0 }],
  ])('is undefined for %s', async (_, fields) => {
    expect(createCaseFromResult({ ...(await playToLine({ input: 'hi' })), ...fields })).toBeUndefined()
  })

  it('can have every field of a check, because none has the name of a result field', () => {
    const named = assertionSchema.options.flatMap(({ shape }) => Object.keys(shape))
    for (const own of ['passed', 'status', 'reason', 'expected', 'actual', 'score', 'details'])
      expect(named).not.toContain(own)
    expect(named).toContain('criteria')
  })
})
