import type { Assertion } from '../checks/list.ts'
import type { Issue } from '../json/validation/issues.ts'
import { isToolName } from '../text/tool-name.ts'
import type { AuthoredCase } from './case-schema.ts'
import { findCheckpointIssues } from './checkpoints.ts'
import type { Path } from './formats/case-format.ts'
import { isMessage, isMessageList } from './input.ts'
import type { CasePlaces } from './places.ts'
import { readSimulatorSettings } from './simulated.ts'
import type { Speakers } from './speakers.ts'

/** Finds contradictions in a well-formed case. One function per rule; their order does not matter. */
export const rules: readonly ((authored: AuthoredCase, places: CasePlaces, around: Speakers) => Issue[])[] = [
  oneNameForAssertions,
  inputOrTurns,
  hasInitialInput,
  turnsAreSingleMessages,
  inputsAreFromUser,
  attachmentsHaveAMessage,
  singleTurnHasOneTurn,
  limitCoversTurns,
  checkedTurnsExist,
  findCheckpointIssues,
  limitsAreNumbers,
  oneStubPerTool,
  userCallsNeedSimulator,
  oneOpening,
  outcomesNeedConditions,
]

function oneNameForAssertions(_authored: AuthoredCase, { parts }: CasePlaces): Issue[] {
  const message = '`assert` and `assertions` are the same: use one'
  return parts
    .filter(({ written }) => written.assert !== undefined && written.assertions !== undefined)
    .map(({ path }) => ({ code: 'conflict', path: [...path, 'assertions'], message }))
}

function inputOrTurns({ input, turns }: AuthoredCase): Issue[] {
  if (input === undefined || turns === undefined) return []
  const message = '`input` with `turns`: put the input into the first turn'
  return [{ code: 'conflict', path: ['turns'], message }]
}

function oneOpening(authored: AuthoredCase): Issue[] {
  if (authored.simulator?.opening === undefined || countAuthorTurns(authored) === 0) return []
  const given = (['input', 'messages', 'turns'] as const).filter((key) => authored[key] !== undefined)
  const message = `\`opening\` with \`${given.join('` and `')}\`: only one can be the first message`
  return [{ code: 'conflict', path: ['simulator', 'opening'], message }]
}

function hasInitialInput(
  authored: AuthoredCase,
  _places: CasePlaces,
  { simulator, interactive }: Speakers,
): Issue[] {
  const { input, messages, turns } = authored
  const others =
    readSimulatorSettings(authored, simulator) !== undefined ||
    interactive ||
    authored.interactive?.enabled === true
  if (others && (messages ?? []).length + (isMessageList(input) ? input.length : 0) === 0) return []
  if (input === undefined && messages === undefined && turns === undefined) {
    const message = 'no initial input: a case needs `input`, `messages`, `turns` or a `simulator`'
    return [{ code: 'no_input', path: [], message }]
  }
  const list = messages ?? (isMessageList(input) ? input : undefined)
  const last = list?.at(-1)
  if (list === undefined || last?.role === 'user') return []
  const path: Path = [messages === undefined ? 'input' : 'messages', ...(last ? [list.length - 1] : [])]
  if (last === undefined) return [{ code: 'no_input', path, message: 'no initial input: the list is empty' }]
  if (turns !== undefined || others) return []
  const message = `no initial input: the last message is the ${last.role}'s`
  const hint = 'end with a user message, or add `turns`'
  return [{ code: 'no_input', path, message, hint }]
}

function turnsAreSingleMessages({ turns = [] }: AuthoredCase): Issue[] {
  const message = 'a turn is one user message: put earlier messages into `messages`'
  return turns.flatMap(({ input }, index) =>
    isMessageList(input) ? [{ code: 'wrong_type', path: ['turns', index, 'input'], message }] : [],
  )
}

function inputsAreFromUser(_authored: AuthoredCase, { inputs }: CasePlaces): Issue[] {
  return inputs.flatMap(({ path, value }) => {
    if (!isMessage(value) || value.role === 'user') return []
    const message = `the input's role is ${value.role}, must be user`
    return [{ code: 'wrong_value', path: [...path, 'role'], message }]
  })
}

function attachmentsHaveAMessage({ attachments, input, messages }: AuthoredCase): Issue[] {
  if (attachments === undefined || messages?.at(-1)?.role === 'user' || (input !== undefined && !messages))
    return []
  const message = '`attachments` go with `input`: put them into the turn they belong to'
  return [{ code: 'conflict', path: ['attachments'], message }]
}

/** The number of turns that the author wrote, including the opening message. */
function countAuthorTurns({ input, messages, turns = [] }: AuthoredCase): number {
  const opens = messages ? messages.at(-1)?.role === 'user' : input !== undefined
  return turns.length + (opens ? 1 : 0)
}

function singleTurnHasOneTurn(authored: AuthoredCase): Issue[] {
  if (authored.type !== 'single_turn') return []
  const turns = countAuthorTurns(authored)
  const more = [
    ...(['simulator', 'checkpoints', 'terminate_when'] as const).filter((key) => authored[key] !== undefined),
    ...(authored.interactive?.enabled ? ['interactive'] : []),
  ]
  const what = turns > 1 ? `${turns} turns` : more.length > 0 ? `\`${more.join('` and `')}\`` : undefined
  return what === undefined ? [] : [{ code: 'conflict', path: ['type'], message: `single_turn with ${what}` }]
}

function limitCoversTurns(authored: AuthoredCase): Issue[] {
  if (authored.terminate_when === undefined && isUnlimited(authored)) return []
  const turns = countAuthorTurns(authored)
  const [counting] = limitPlaces(authored).filter(({ value }) => value !== undefined)
  const limits = [
    ...(counting ? [{ ...counting, name: 'max_turns' }] : []),
    ...(authored.terminate_when ?? []).flatMap((condition, index) =>
      condition.type === 'after_turns'
        ? [{ path: ['terminate_when', index, 'turns'], value: condition.turns, name: 'after_turns' }]
        : [],
    ),
  ]
  return limits
    .filter(({ value }) => typeof value === 'number' && value < turns)
    .map(({ path, name, value }) => ({
      code: 'wrong_value',
      path,
      message: `${name} is ${value}, but there are ${turns} turns`,
    }))
}

function isUnlimited({ simulator, max_turns }: AuthoredCase): boolean {
  return simulator === undefined && max_turns === undefined
}

/** The places for a turn limit; the first one that is set counts. */
function limitPlaces({ simulator, max_turns }: AuthoredCase): { path: Path; value: unknown }[] {
  return [
    {
      path: ['simulator', 'options', 'metadata', 'max_turns'],
      value: simulator?.options?.metadata?.max_turns,
    },
    { path: ['simulator', 'metadata', 'max_turns'], value: simulator?.metadata?.max_turns },
    { path: ['simulator', 'max_turns'], value: simulator?.max_turns },
    { path: ['max_turns'], value: max_turns },
  ]
}

/** The schema does not check metadata, so `max_turns` in it is checked here. */
function limitsAreNumbers(authored: AuthoredCase): Issue[] {
  if (isUnlimited(authored)) return []
  return limitPlaces(authored)
    .filter(({ value }) => value !== undefined && !(Number.isInteger(value) && Number(value) >= 1))
    .map(({ path, value }) => ({
      code: 'wrong_value',
      path,
      message: `max_turns is ${JSON.stringify(value)}, must be a whole number of at least 1`,
    }))
}

/** A tool has the same stub with and without the name of its server, so two of them are ambiguous. */
function oneStubPerTool(authored: AuthoredCase, { parts }: CasePlaces): Issue[] {
  const issues: Issue[] = []
  const { simulator = {} } = authored
  for (const { path, written } of [...parts, { path: ['simulator'], written: simulator }]) {
    const names = written.stubs === undefined ? [] : Object.keys(written.stubs)
    for (const [index, name] of names.entries()) {
      const other = names.slice(0, index).find((each) => isToolName(each, name) || isToolName(name, each))
      if (other === undefined) continue
      const message = `stubs of "${other}" and of "${name}" are for the same tool: use one name`
      issues.push({ code: 'conflict', path: [...path, 'stubs', name], message })
    }
  }
  return issues
}

/** Only a simulated user has tools: without one, there are no calls that could be right or wrong. */
function userCallsNeedSimulator(
  authored: AuthoredCase,
  { assertions }: CasePlaces,
  { simulator }: Speakers,
): Issue[] {
  if (readSimulatorSettings(authored, simulator) !== undefined) return []
  const message =
    '`"by": "user"` looks at the tool calls of a simulated user, and this case has no `simulator`'
  return assertions.flatMap(({ path, assertion }) =>
    findUserChecks(assertion, path).map((each) => ({ code: 'conflict', path: [...each, 'by'], message })),
  )
}

/** The places of assertions on the user's tool calls, including those in groups. */
function findUserChecks(assertion: Assertion, path: Path): Path[] {
  if ('by' in assertion && assertion.by === 'user') return [path]
  if (!('assertions' in assertion)) return []
  const members = assertion.assertions as Assertion[]
  return members.flatMap((member, index) => findUserChecks(member, [...path, 'assertions', index]))
}

/** `turn` of an assertion must be a turn of the author. With a simulator or a person, more turns may follow. */
function checkedTurnsExist(
  authored: AuthoredCase,
  { assertions }: CasePlaces,
  { simulator }: Speakers,
): Issue[] {
  if (readSimulatorSettings(authored, simulator) !== undefined || authored.interactive?.enabled) return []
  const turns = countAuthorTurns(authored)
  const before = turns - (authored.turns?.length ?? 0)
  return assertions.flatMap(({ path, assertion }) => {
    // An assertion of a turn only sees this turn and those before it.
    const [place, index] = path
    const own = place === 'turns' && typeof index === 'number' ? before + index + 1 : turns
    return findMissingTurns(assertion, path, own)
  })
}

/** Assertions on a turn after `last`, including those in groups. */
function findMissingTurns(assertion: Assertion, path: Path, last: number): Issue[] {
  const { turn = last } = assertion
  if (turn > last) {
    const message = `there is no turn ${turn}: the last one here is turn ${last}`
    return [{ code: 'wrong_value', path: [...path, 'turn'], message }]
  }
  if (!('assertions' in assertion)) return []
  const members = assertion.assertions as Assertion[]
  return members.flatMap((member, index) => findMissingTurns(member, [...path, 'assertions', index], turn))
}

function outcomesNeedConditions(authored: AuthoredCase): Issue[] {
  if (authored.terminate_when !== undefined) return []
  return (['on_condition_met', 'on_max_turns_reached', 'on_exhausted'] as const)
    .filter((key) => authored[key] !== undefined)
    .map((key) => ({ code: 'conflict', path: [key], message: `\`${key}\` without \`terminate_when\`` }))
}
