import { describePath, type Issue } from '../issues.ts'
import type { AuthoredCase, AuthoredMessage } from './case-schema.ts'
import { isMessage, isMessageList } from './input.ts'

type Path = (string | number)[]

/** What a well-formed case may still say twice, or say and take back. One rule, one function; order is no matter. */
export const rules: readonly ((authored: AuthoredCase) => Issue[])[] = [
  oneNameForAssertions,
  inputOrTurns,
  somebodySpeaks,
  turnsAreSingleMessages,
  inputsAreTheUsers,
  partsAreSupported,
  singleTurnIsOne,
  limitCoversTurns,
  turnsThatAreLookedAt,
]

/** Every message the user is given to say, with its place. */
export function inputsOf(authored: AuthoredCase): { path: Path; value: unknown }[] {
  const own = authored.input === undefined ? [] : [{ path: ['input'], value: authored.input }]
  const turns = (authored.turns ?? []).map(({ input }, index) => ({
    path: ['turns', index, 'input'],
    value: input,
  }))
  return [...own, ...turns]
}

function oneNameForAssertions(authored: AuthoredCase): Issue[] {
  const places: { path: Path; value: Pick<AuthoredCase, 'assert' | 'assertions'> }[] = [
    { path: [], value: authored },
    ...(authored.turns ?? []).map((value, index) => ({ path: ['turns', index], value })),
  ]
  return places
    .filter(({ value }) => value.assert !== undefined && value.assertions !== undefined)
    .map(({ path }) => ({
      code: 'conflict',
      path: [...path, 'assertions'],
      message: '`assert` and `assertions` are the same: use one',
    }))
}

function inputOrTurns({ input, turns }: AuthoredCase): Issue[] {
  if (input === undefined || turns === undefined) return []
  const message = '`input` with `turns`: put the input into the first turn'
  return [{ code: 'conflict', path: ['turns'], message }]
}

function somebodySpeaks(authored: AuthoredCase): Issue[] {
  const { input, messages, turns } = authored
  if (input === undefined && messages === undefined && turns === undefined) {
    return [
      {
        code: 'no_input',
        path: [],
        message: 'no initial input: a case needs `input`, `messages` or `turns`',
      },
    ]
  }
  const list = messages ?? (isMessageList(input) ? input : undefined)
  const last = list?.at(-1)
  if (list === undefined || last?.role === 'user') return []
  const path: Path = [messages === undefined ? 'input' : 'messages', ...(last ? [list.length - 1] : [])]
  if (last === undefined) return [{ code: 'no_input', path, message: 'no initial input: the list is empty' }]
  if (last.role === 'assistant' && turns !== undefined) return []
  const message = `no initial input: the last message is the ${last.role}'s`
  const hint = last.role === 'assistant' ? "end with the user's, or add `turns`" : "end with the user's"
  return [{ code: 'no_input', path, message, hint }]
}

function turnsAreSingleMessages(authored: AuthoredCase): Issue[] {
  const message = 'a turn is one user message: put what was said before into `messages`'
  return (authored.turns ?? []).flatMap(({ input }, index) =>
    isMessageList(input) ? [{ code: 'wrong_type', path: ['turns', index, 'input'], message }] : [],
  )
}

function inputsAreTheUsers(authored: AuthoredCase): Issue[] {
  return inputsOf(authored).flatMap(({ path, value }) =>
    isMessage(value) && value.role !== 'user'
      ? [
          {
            code: 'wrong_value',
            path: [...path, 'role'],
            message: `the input's role is ${value.role}, must be user`,
          },
        ]
      : [],
  )
}

function partsAreSupported(authored: AuthoredCase): Issue[] {
  const values = [...inputsOf(authored), { path: ['messages'], value: authored.messages }]
  return values.flatMap(({ path, value }) => {
    if (isMessageList(value)) return value.flatMap((message, index) => partIssues(message, [...path, index]))
    return isMessage(value) ? partIssues(value, path) : []
  })
}

function partIssues({ content }: AuthoredMessage, path: Path): Issue[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part, index) => {
    const at = [...path, 'content', index]
    if (part.type !== 'text') {
      return [{ code: 'not_yet', path: at, message: `content part "${part.type}" is not supported yet` }]
    }
    return typeof part.text === 'string'
      ? []
      : [{ code: 'wrong_type', path: at, message: `${describePath(at)} has no text` }]
  })
}

/** How many turns the author wrote, the opening included. */
function authorTurns({ input, messages, turns = [] }: AuthoredCase): number {
  const opens = messages ? messages.at(-1)?.role === 'user' : input !== undefined
  return turns.length + (opens ? 1 : 0)
}

function singleTurnIsOne(authored: AuthoredCase): Issue[] {
  const turns = authorTurns(authored)
  if (authored.type !== 'single_turn' || turns <= 1) return []
  return [{ code: 'conflict', path: ['type'], message: `single_turn with ${turns} turns` }]
}

function limitCoversTurns(authored: AuthoredCase): Issue[] {
  const turns = authorTurns(authored)
  if (authored.max_turns === undefined || authored.max_turns >= turns) return []
  const message = `max_turns is ${authored.max_turns}, but there are ${turns} turns`
  return [{ code: 'wrong_value', path: ['max_turns'], message }]
}

function turnsThatAreLookedAt(authored: AuthoredCase): Issue[] {
  const turns = authorTurns(authored)
  const named = ['assert', 'assertions', 'final_assertions'] as const
  return named.flatMap((key) =>
    [authored[key] ?? []].flat().flatMap(({ turn }, index) => {
      if (turn === undefined || turn <= turns) return []
      const path = Array.isArray(authored[key]) ? [key, index, 'turn'] : [key, 'turn']
      return [{ code: 'wrong_value', path, message: `there is no turn ${turn}: there are ${turns}` }]
    }),
  )
}
