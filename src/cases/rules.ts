import type { Assertion } from '../assertions/list.ts'
import type { Issue } from '../issues.ts'
import { isToolName } from '../tool-name.ts'
import type { AuthoredCase, AuthoredMessage, AuthoredPart } from './case-schema.ts'
import { checkpointIssues } from './checkpoints.ts'
import { assertionsIn } from './conditions.ts'
import { isMessage, isMessageList, sourceOf } from './input.ts'
import { simulatorOf } from './simulated.ts'
import type { Speakers } from './speakers.ts'

type Path = (string | number)[]

/** What a well-formed case may still say twice, or say and take back. One rule, one function; order is no matter. */
export const rules: readonly ((authored: AuthoredCase, around: Speakers) => Issue[])[] = [
  oneNameForAssertions,
  inputOrTurns,
  somebodySpeaks,
  turnsAreSingleMessages,
  inputsAreTheUsers,
  attachmentsHaveAMessage,
  singleTurnIsOne,
  limitCoversTurns,
  turnsThatAreLookedAt,
  checkpointIssues,
  simulatorLimit,
  oneStubForATool,
  onlyOneOpens,
]

/** Every file that is to be sent, with its place. */
export function sourcesOf(authored: AuthoredCase): { path: Path; source: string; type: string }[] {
  const messages = [...inputsOf(authored), { path: ['messages'], value: authored.messages }]
  const parts = messages.flatMap(({ path, value }) => {
    if (isMessageList(value)) return value.flatMap((message, index) => partsOf(message, [...path, index]))
    return isMessage(value) ? partsOf(value, path) : []
  })
  const turns = (authored.turns ?? []).map((turn, index) => ({ path: ['turns', index] as Path, ...turn }))
  const attached = [{ path: [] as Path, attachments: authored.attachments }, ...turns].flatMap(
    ({ path, attachments = [] }) =>
      attachments.map((part, index) => ({ path: [...path, 'attachments', index], part })),
  )
  return [...parts, ...attached].flatMap(({ path, part }) => {
    const source = sourceOf(part)
    const [key, type] = part.type === 'image_url' ? ['image_url', 'image'] : ['source', part.type]
    return source === undefined ? [] : [{ path: [...path, key], source, type }]
  })
}

function partsOf({ content }: AuthoredMessage, path: Path): { path: Path; part: AuthoredPart }[] {
  if (!Array.isArray(content)) return []
  return content.map((part, index) => ({ path: [...path, 'content', index], part }))
}

const assertionKeys = ['assert', 'assertions', 'final_assertions'] as const

/** Every assertion, with its place; those in groups are the group's. */
export function assertionsOf(authored: AuthoredCase): { path: Path; assertion: Assertion }[] {
  const turns = (authored.turns ?? []).map((turn, index) => ({ path: ['turns', index] as Path, ...turn }))
  return [
    ...assertionKeys.flatMap((key) => listed(authored[key], [key])),
    ...turns.flatMap(({ path, assert, assertions }) => [
      ...listed(assert, [...path, 'assert']),
      ...listed(assertions, [...path, 'assertions']),
    ]),
    ...(authored.checkpoints ?? []).flatMap(({ assert, assertion }, index) => [
      ...listed(assert, ['checkpoints', index, 'assert']),
      ...listed(assertion, ['checkpoints', index, 'assertion']),
    ]),
    ...(authored.terminate_when ?? []).flatMap((condition, index) =>
      assertionsIn(condition, ['terminate_when', index]),
    ),
  ]
}

function listed(
  given: Assertion | Assertion[] | undefined,
  path: Path,
): { path: Path; assertion: Assertion }[] {
  if (!Array.isArray(given)) return given === undefined ? [] : [{ path, assertion: given }]
  return given.map((assertion, index) => ({ path: [...path, index], assertion }))
}

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

function onlyOneOpens(authored: AuthoredCase): Issue[] {
  if (authored.simulator?.opening === undefined || authorTurns(authored) === 0) return []
  const given = (['input', 'messages', 'turns'] as const).filter((key) => authored[key] !== undefined)
  const message = `\`opening\` with \`${given.join('` and `')}\`: only one can be the first message`
  return [{ code: 'conflict', path: ['simulator', 'opening'], message }]
}

function somebodySpeaks(authored: AuthoredCase, { simulator, interactive }: Speakers): Issue[] {
  const { input, messages, turns } = authored
  const others =
    simulatorOf(authored, simulator) !== undefined || interactive || authored.interactive?.enabled === true
  if (others && (messages ?? []).length + (isMessageList(input) ? input.length : 0) === 0) return []
  if (input === undefined && messages === undefined && turns === undefined) {
    return [
      {
        code: 'no_input',
        path: [],
        message: 'no initial input: a case needs `input`, `messages`, `turns` or a `simulator`',
      },
    ]
  }
  const list = messages ?? (isMessageList(input) ? input : undefined)
  const last = list?.at(-1)
  if (list === undefined || last?.role === 'user') return []
  const path: Path = [messages === undefined ? 'input' : 'messages', ...(last ? [list.length - 1] : [])]
  if (last === undefined) return [{ code: 'no_input', path, message: 'no initial input: the list is empty' }]
  if (last.role === 'assistant' && (turns !== undefined || others)) return []
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

function attachmentsHaveAMessage({ attachments, input, messages }: AuthoredCase): Issue[] {
  if (attachments === undefined || messages?.at(-1)?.role === 'user' || (input !== undefined && !messages))
    return []
  const message = '`attachments` go with `input`: put them into the turn they belong to'
  return [{ code: 'conflict', path: ['attachments'], message }]
}

/** How many turns the author wrote, the opening included. */
function authorTurns({ input, messages, turns = [] }: AuthoredCase): number {
  const opens = messages ? messages.at(-1)?.role === 'user' : input !== undefined
  return turns.length + (opens ? 1 : 0)
}

function singleTurnIsOne(authored: AuthoredCase): Issue[] {
  if (authored.type !== 'single_turn') return []
  const turns = authorTurns(authored)
  const more = [
    ...(['simulator', 'checkpoints', 'terminate_when'] as const).filter((key) => authored[key] !== undefined),
    ...(authored.interactive?.enabled ? ['interactive'] : []),
  ]
  const what = turns > 1 ? `${turns} turns` : more.length > 0 ? `\`${more.join('` and `')}\`` : undefined
  return what === undefined ? [] : [{ code: 'conflict', path: ['type'], message: `single_turn with ${what}` }]
}

function limitCoversTurns(authored: AuthoredCase, { simulator }: Speakers): Issue[] {
  const turns = authorTurns(authored)
  const limits: { path: Path; name: string; limit: number | undefined }[] = [
    {
      path: limitPath(authored),
      name: 'max_turns',
      limit: simulatorOf(authored, simulator)?.maxTurns ?? authored.max_turns,
    },
    ...(authored.terminate_when ?? []).flatMap((condition, index) =>
      condition.type === 'after_turns'
        ? [{ path: ['terminate_when', index, 'turns'], name: 'after_turns', limit: condition.turns }]
        : [],
    ),
  ]
  return limits
    .filter(({ limit = turns }) => limit < turns)
    .map(({ path, name, limit }) => ({
      code: 'wrong_value',
      path,
      message: `${name} is ${limit}, but there are ${turns} turns`,
    }))
}

/** Where the limit that counts is written. */
function limitPath({ simulator }: AuthoredCase): Path {
  if (simulator?.options?.metadata?.max_turns !== undefined)
    return ['simulator', 'options', 'metadata', 'max_turns']
  if (simulator?.metadata?.max_turns !== undefined) return ['simulator', 'metadata', 'max_turns']
  return simulator?.max_turns === undefined ? ['max_turns'] : ['simulator', 'max_turns']
}

/** What is in open metadata is still a number of turns. */
function simulatorLimit({ simulator }: AuthoredCase): Issue[] {
  const places: { path: Path; value: unknown }[] = [
    { path: ['simulator', 'metadata', 'max_turns'], value: simulator?.metadata?.max_turns },
    {
      path: ['simulator', 'options', 'metadata', 'max_turns'],
      value: simulator?.options?.metadata?.max_turns,
    },
  ]
  return places
    .filter(({ value }) => value !== undefined && !(Number.isInteger(value) && Number(value) >= 1))
    .map(({ path, value }) => ({
      code: 'wrong_value',
      path,
      message: `max_turns is ${JSON.stringify(value)}, must be a whole number of at least 1`,
    }))
}

/** With and without its server a tool is the same: which of two stubs is meant cannot be told. */
function oneStubForATool(authored: AuthoredCase): Issue[] {
  const places: { path: Path; stubs: AuthoredCase['stubs'] }[] = [
    { path: ['stubs'], stubs: authored.stubs },
    ...(authored.turns ?? []).map(({ stubs }, index) => ({ path: ['turns', index, 'stubs'], stubs })),
  ]
  return places.flatMap(({ path, stubs = {} }) =>
    Object.keys(stubs).flatMap((name, index, names) => {
      const other = names.slice(0, index).find((each) => isToolName(each, name) || isToolName(name, each))
      if (other === undefined) return []
      const message = `stubs of "${other}" and of "${name}" are for the same tool: use one name`
      return [{ code: 'conflict', path: [...path, name], message }]
    }),
  )
}

/** A turn of the author's; where somebody else goes on, any that there may be. */
function turnsThatAreLookedAt(authored: AuthoredCase, { simulator }: Speakers): Issue[] {
  if (simulatorOf(authored, simulator) !== undefined || authored.interactive?.enabled) return []
  const turns = authorTurns(authored)
  const before = turns - (authored.turns?.length ?? 0)
  return assertionsOf(authored).flatMap(({ path, assertion }) => {
    // One beside a turn looks back from there.
    const [place, index] = path
    const own = place === 'turns' && typeof index === 'number' ? before + index + 1 : turns
    return missingTurns(assertion, path, own)
  })
}

/** What looks at a turn after `last`, in groups too. */
function missingTurns(assertion: Assertion, path: Path, last: number): Issue[] {
  const { turn = last } = assertion
  if (turn > last) {
    const message = `there is no turn ${turn}: the last one here is turn ${last}`
    return [{ code: 'wrong_value', path: [...path, 'turn'], message }]
  }
  const members = 'assertions' in assertion ? (assertion.assertions as Assertion[]) : []
  return members.flatMap((member, index) => missingTurns(member, [...path, 'assertions', index], turn))
}
