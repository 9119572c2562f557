import { describe, expect, it } from 'vitest'
import type { Agent, Session } from '../agents/agent.ts'
import type { FindFile } from '../cases/attached-file.ts'
import { compileCase } from '../cases/compile.ts'
import { caseEntry, hashOf } from '../cases/entry.ts'
import type { Speakers } from '../cases/speakers.ts'
import { type CaseSurroundings, validateCase } from '../cases/validate.ts'
import { noHelpers } from '../checks/helpers.ts'
import { assertionSchema } from '../checks/list.ts'
import { playConversation } from '../conversation/play.ts'
import { decideVerdict } from '../conversation/verdict.ts'
import { AgentError } from '../errors.ts'
import { emptyResult } from '../run/empty-result.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { caseOf } from './case-of.ts'
import { toLine } from './line.ts'
import { type CheckLine, type ResultLine, resultLineSchema } from './line-schema.ts'
import { takenTurns } from './skipped-turn.ts'
import type { Message } from './transcript/message.ts'
import type { Reply } from './transcript/reply.ts'
import { messagesOf } from './transcript/turn.ts'
import { checkFromLine } from './turn-line.ts'

const key = { file: 'a.jsonl', id: 'T1', variant: 'support', run: 1, attempt: 1 }

function replyOf(content: string): Reply {
  return { output: content, content, messages: [{ role: 'assistant', content }], toolCalls: [] }
}

/** The user says these messages, then has what they wanted. */
function speakersOf(messages: readonly string[]): Speakers {
  const left = [...messages]
  const agent: Agent = {
    id: 'user',
    input: 'any',
    history: 'given',
    tools: 'hidden',
    open: async () => ({
      send: async () =>
        replyOf(JSON.stringify({ message: left.shift() ?? '', goal_achieved: left.length === 0 })),
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
    connectorProblem: () => undefined,
    presetProblem: () => undefined,
  } as const
  return { limits, findFile, helpers: noHelpers, speakers }
}

interface Played {
  /** Why the case is not played. */
  refused: string[]
  /** What the agent was given, turn by turn. */
  heard: Message[][]
  line?: ResultLine
}

/** Plays a case as viva does, and reads its result back from the line it is written in. */
async function play(written: unknown, simulated: readonly string[] = [], failure?: Error): Promise<Played> {
  const speakers = speakersOf(simulated)
  const validated = validateCase(written, surroundingsOf(speakers))
  if (!validated.ok) return { refused: validated.issues.map(({ message }) => message), heard: [] }
  const { authored } = validated
  const { plan, expected } = compileCase(authored, { helpers: noHelpers, speakers, findFile })
  const heard: Message[][] = []
  const session: Session = {
    async send({ input, view }) {
      heard.push([...messagesOf(view), input.message])
      if (failure) throw failure
      return replyOf('{"total": 20}')
    },
    close: async () => {},
  }
  const conversation = await playConversation(plan, session, createPlainScope())
  const { view, termination, checkpoints, finals, unevaluated } = conversation
  const entry = caseEntry(authored, hashOf(written), { file: key.file, line: 1, at: { inline: authored } })
  const result = {
    ...emptyResult(entry, { ...key, id: authored.id }),
    ...decideVerdict(conversation, plan),
    ...(expected === undefined ? {} : { expected }),
    ...{ singleTurn: plan.singleTurn, view, termination, checkpoints, finals, unevaluated },
  }
  return { refused: [], heard, line: resultLineSchema.parse(JSON.parse(JSON.stringify(toLine(result)))) }
}

async function lineOf(
  written: object,
  simulated: readonly string[] = [],
  failure?: Error,
): Promise<ResultLine> {
  const { refused, line } = await play({ id: 'T1', ...written }, simulated, failure)
  expect(refused).toEqual([])
  if (line === undefined) throw new Error('it was not played')
  return line
}

/** The case as somebody pastes it into a file. */
function pasted(line: ResultLine): unknown {
  return JSON.parse(JSON.stringify(caseOf(line)))
}

/** The checks of each turn and those at the end, as their author wrote them, with what came of them. */
function checksIn(line: ResultLine | undefined) {
  const shown = (checks: CheckLine[] = []) =>
    checks.map(checkFromLine).map(({ type, status, gates, fields }) => ({ type, status, gates, fields }))
  return {
    turns: (line?.turns ? takenTurns(line) : line === undefined ? [] : [line]).map(({ assertions }) =>
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

describe('a result as a case', () => {
  it.each(conversations)(
    'with %s is accepted, and says the same to the agent',
    async (_, written, simulated) => {
      const before = await play({ id: 'T1', ...written }, simulated)
      expect(before.refused).toEqual([])
      const after = await play(pasted(before.line as ResultLine))
      expect(after.refused).toEqual([])
      expect(after.heard).toEqual(before.heard)
      expect(after.heard).not.toEqual([])
    },
  )

  it.each(checked)('with %s is accepted, and checked as it was', async (_, written, simulated) => {
    const before = await lineOf(written, simulated)
    const { refused, line } = await play(pasted(before))
    expect(refused).toEqual([])
    expect(checksIn(line)).toEqual(checksIn(before))
  })

  it('has its id, name and tags', async () => {
    const common = { id: 'T 7', name: 'A refund', tags: ['smoke', 'area:billing'] }
    expect(pasted(await lineOf({ ...common, input: 'hi' }))).toEqual({ ...common, input: 'hi' })
    expect(pasted(await lineOf({ ...common, turns: [{ input: 'hi' }] }))).toEqual({
      ...common,
      turns: [{ input: 'hi' }],
    })
  })

  it('has no more than there was', async () => {
    expect(pasted(await lineOf({ input: 'hi' }))).toEqual({ id: 'T1', input: 'hi' })
  })

  it('needs nobody who plays the user: their messages are turns', async () => {
    const line = await lineOf({ input: 'hi', simulator: person }, ['My money!'])
    expect(pasted(line)).toEqual({ id: 'T1', turns: [{ input: 'hi' }, { input: 'My money!' }] })
  })

  it('keeps what its author says of a turn', async () => {
    const turns = [{ input: 'a', description: 'greets' }, { input: 'b' }]
    expect(pasted(await lineOf({ turns }))).toEqual({ id: 'T1', turns })
  })

  it('has the checks as they were written, and nothing of what came of them', async () => {
    const assert = [
      { type: 'equals', value: { total: 21 } },
      { ...contains, gates: false, message: 'a total' },
    ]
    expect(pasted(await lineOf({ input: 'hi', assert }))).toEqual({ id: 'T1', input: 'hi', assert })
  })

  it('keeps what its author expects, for judges and scripts that are shown it', async () => {
    const line = await lineOf({
      input: 'hi',
      expected: '20 euros',
      assert: { type: 'judge', criteria: 'It is polite' },
    })
    expect(pasted(line)).toMatchObject({ expected: '20 euros' })
  })

  it('says again what an agent did not answer', async () => {
    const line = await lineOf({ turns: [{ input: 'a' }, { input: 'b' }] }, [], new AgentError('broke'))
    expect(pasted(line)).toEqual({ id: 'T1', turns: [{ input: 'a' }] })
  })

  it('is accepted when a check looked for a turn that never came', async () => {
    const line = await lineOf({ simulator: person, final_assertions: { ...contains, turn: 5 } }, ['a', 'b'])
    expect((await play(pasted(line))).refused).toEqual([])
  })

  it.each<[string, Partial<ResultLine>]>([
    ['a script test', { kind: 'script', script: { assertions: 1 } }],
    ['what was skipped', { status: 'skipped', total_turns: 0 }],
    ['a conversation that never began', { mode: 'multi_turn', turns: [], total_turns: 0 }],
  ])('is none for %s', async (_, fields) => {
    expect(caseOf({ ...(await lineOf({ input: 'hi' })), ...fields })).toBeUndefined()
  })

  it('can have every field of a check: none is named as what came of it', () => {
    const named = assertionSchema.options.flatMap(({ shape }) => Object.keys(shape))
    for (const own of ['passed', 'status', 'reason', 'expected', 'actual', 'score', 'details'])
      expect(named).not.toContain(own)
    expect(named).toContain('criteria')
  })
})
