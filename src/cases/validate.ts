import { defined } from '../defined.ts'
import type { Problem } from '../errors.ts'
import { describePath, type Issue, issuesOf } from '../issues.ts'
import { type AuthoredCase, caseSchema, messageSchema, notYetKeys, turnSchema } from './case-schema.ts'
import { isMessage, isMessageList } from './input.ts'

/** What the agent under test can take; a case that asks for more is refused before anything runs. */
export interface AgentLimits {
  agentId: string
  /** Values that are no messages. */
  anyInput: boolean
  connectorProblem(id: string): Promise<string | undefined>
}

export type Validated = { ok: true; authored: AuthoredCase } | { ok: false; issues: Issue[] }

const notYetInCase = notYetKeys(caseSchema)
const notYetInTurn = notYetKeys(turnSchema)

/** Everything that can be said about a case without playing it. All faults at once. */
export async function validateCase(value: unknown, limits: AgentLimits): Promise<Validated> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, issues: [{ code: 'wrong_type', path: [], message: 'a case must be a JSON object' }] }
  }
  const parsed = caseSchema.safeParse(value, { reportInput: true })
  const issues = parsed.success ? [] : issuesOf(parsed.error, caseSchema)
  // The rules below read single keys, so they hold for a case that is wrong elsewhere too.
  const authored = (parsed.success ? parsed.data : value) as AuthoredCase
  if (parsed.success) issues.push(...contradictions(authored), ...(await agentIssues(authored, limits)))
  issues.push(...notYetIssues(authored))
  return issues.length === 0 ? { ok: true, authored } : { ok: false, issues }
}

/** What the same case says twice, or says and takes back. */
function contradictions(authored: AuthoredCase): Issue[] {
  const issues: Issue[] = []
  const report = (code: string, path: (string | number)[], message: string) =>
    issues.push({ code, path, message })

  if (authored.assert !== undefined && authored.assertions !== undefined) {
    report('conflict', ['assertions'], '`assert` and `assertions` are the same: use one')
  }
  for (const [index, turn] of (authored.turns ?? []).entries()) {
    if (turn.assert !== undefined && turn.assertions !== undefined) {
      report('conflict', ['turns', index, 'assertions'], '`assert` and `assertions` are the same: use one')
    }
    if (isMessageList(turn.input)) {
      report(
        'wrong_type',
        ['turns', index, 'input'],
        'a turn is one user message: put what was said before in `messages`',
      )
    }
  }
  if (authored.input !== undefined && authored.turns !== undefined) {
    report('conflict', ['turns'], '`input` with `turns`: put the input into the first turn')
  }
  const opening = authored.messages ?? (isMessageList(authored.input) ? authored.input : undefined)
  if (authored.input === undefined && opening === undefined && authored.turns === undefined) {
    report('no_input', [], 'no initial input: a case needs `input`, `messages` or `turns`')
  }
  if (opening !== undefined) {
    const last = opening.at(-1)
    const path = [authored.messages === undefined ? 'input' : 'messages', opening.length - 1]
    if (last === undefined) report('no_input', ['input'], 'no initial input: the list of messages is empty')
    else if (last.role !== 'user' && last.role !== 'assistant') {
      report(
        'wrong_value',
        path,
        `the last message is a ${last.role} message: it must be the user's, or the assistant's before \`turns\``,
      )
    } else if (last.role === 'assistant' && authored.turns === undefined) {
      report(
        'no_input',
        path,
        'no initial input: the last message is the assistant’s and there are no `turns`',
      )
    }
  }
  if (authored.type === 'single_turn' && (authored.turns?.length ?? 0) > 1) {
    report('conflict', ['type'], `single_turn with ${authored.turns?.length} turns`)
  }
  if (authored.max_turns !== undefined && authored.max_turns < (authored.turns?.length ?? 0)) {
    report(
      'wrong_value',
      ['max_turns'],
      `max_turns is ${authored.max_turns}, but there are ${authored.turns?.length} turns`,
    )
  }
  return [...issues, ...messageIssues(authored)]
}

/** Messages that are well-formed but that no agent can be given yet. */
function messageIssues(authored: AuthoredCase): Issue[] {
  const places: [(string | number)[], unknown][] = [
    [['input'], authored.input],
    [['messages'], authored.messages],
    ...(authored.turns ?? []).map((turn, index): [(string | number)[], unknown] => [
      ['turns', index, 'input'],
      turn.input,
    ]),
  ]
  return places.flatMap(([path, value]) => {
    if (isMessageList(value)) return value.flatMap((item, index) => partIssues(item, [...path, index]))
    if (!isMessage(value)) return []
    const role: Issue[] =
      value.role === 'user'
        ? []
        : [
            {
              code: 'wrong_value',
              path: [...path, 'role'],
              message: `the input's role is ${value.role}, must be user`,
            },
          ]
    return [...role, ...partIssues(value, path)]
  })
}

function partIssues(message: unknown, path: (string | number)[]): Issue[] {
  const content = messageSchema.safeParse(message).data?.content
  if (!Array.isArray(content)) return []
  return content.flatMap((part, index) => {
    if (part.type === 'text' && typeof part.text === 'string') return []
    const at = [...path, 'content', index]
    const message =
      part.type === 'text'
        ? `${describePath(at)} has no text`
        : `content part "${part.type}" is not supported yet`
    return [{ code: part.type === 'text' ? 'wrong_type' : 'not_yet', path: at, message }]
  })
}

async function agentIssues(authored: AuthoredCase, limits: AgentLimits): Promise<Issue[]> {
  const issues: Issue[] = []
  const inputs: [(string | number)[], unknown][] = [
    [['input'], authored.input],
    ...(authored.turns ?? []).map((turn, index): [(string | number)[], unknown] => [
      ['turns', index, 'input'],
      turn.input,
    ]),
  ]
  for (const [path, value] of inputs) {
    if (limits.anyInput || typeof value !== 'object' || isMessage(value) || isMessageList(value)) continue
    issues.push({
      code: 'wrong_type',
      path,
      message: `${limits.agentId} takes messages: ${describePath(path)} must be text, a message or a list of messages`,
    })
  }
  const connectors: [(string | number)[], string | undefined][] = [
    [['options', 'connector'], authored.options?.connector],
    ...(authored.turns ?? []).map((turn, index): [(string | number)[], string | undefined] => [
      ['turns', index, 'options', 'connector'],
      turn.options?.connector,
    ]),
  ]
  for (const [path, id] of connectors) {
    const message = id === undefined ? undefined : await limits.connectorProblem(id)
    if (message !== undefined) issues.push({ code: 'unknown_connector', path, message })
  }
  return issues
}

function notYetIssues(authored: AuthoredCase): Issue[] {
  const of = (object: object, keys: string[], path: (string | number)[]) =>
    keys
      .filter((key) => key in object)
      .map((key) => ({ code: 'not_yet', path: [...path, key], message: `"${key}" is not supported yet` }))
  const turns = Array.isArray(authored.turns) ? authored.turns : []
  return [
    ...of(authored, notYetInCase, []),
    ...turns.flatMap((turn, index) =>
      typeof turn === 'object' && turn !== null ? of(turn, notYetInTurn, ['turns', index]) : [],
    ),
  ]
}

/** An issue with the place it has in a file. */
export function locate(
  issue: Issue,
  file: string,
  id: string | undefined,
  position: { line: number; column: number },
): Problem {
  const key = issue.key ?? issue.path.findLast((part) => typeof part === 'string')
  return {
    code: issue.code,
    message: issue.message,
    file,
    ...position,
    ...defined({ id }),
    ...(key === undefined ? {} : { key: String(key) }),
    ...defined({ hint: issue.hint }),
  }
}
