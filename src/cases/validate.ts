import { defined } from '../defined.ts'
import type { Problem } from '../errors.ts'
import { describePath, type Issue, issuesOf } from '../issues.ts'
import { isRecord } from '../json.ts'
import { type AuthoredCase, caseSchema, notYetKeys, turnSchema } from './case-schema.ts'
import { isMessage, isMessageList, splitMessages } from './input.ts'
import { inputsOf, rules } from './rules.ts'

/** What the agent under test can take; a case that asks for more is refused before anything runs. */
export interface AgentLimits {
  agentId: string
  /** Values that are no messages. */
  anyInput: boolean
  /** Kept: it remembers what was said to it, and cannot be told what was said before. */
  history: 'given' | 'kept'
  /** Undefined when there is such a connector. */
  connectorProblem(id: string): string | undefined
}

export type Validated = { ok: true; authored: AuthoredCase } | { ok: false; issues: Issue[] }

/** Everything that can be said about a case without playing it. All faults at once. */
export function validateCase(value: unknown, limits: AgentLimits): Validated {
  if (!isRecord(value)) {
    return { ok: false, issues: [{ code: 'wrong_type', path: [], message: 'a case must be a JSON object' }] }
  }
  const { data, error } = caseSchema.safeParse(value, { reportInput: true })
  const issues = data
    ? [
        ...rules.flatMap((rule) => rule(data)),
        ...inputIssues(data, limits),
        ...connectorIssues(data, limits),
        ...historyIssues(data, limits),
      ]
    : issuesOf(error, caseSchema)
  issues.push(...notYetIssues(value))
  return data && issues.length === 0 ? { ok: true, authored: data } : { ok: false, issues }
}

function inputIssues(authored: AuthoredCase, { agentId, anyInput }: AgentLimits): Issue[] {
  if (anyInput) return []
  return inputsOf(authored)
    .filter(({ value }) => typeof value === 'object' && !isMessage(value) && !isMessageList(value))
    .map(({ path }) => ({
      code: 'wrong_type',
      path,
      message: `${agentId} takes messages: ${describePath(path)} must be text, a message or a list of messages`,
    }))
}

function historyIssues(authored: AuthoredCase, { agentId, history }: AgentLimits): Issue[] {
  const key = isMessageList(authored.messages) ? 'messages' : 'input'
  const list = authored[key]
  if (history === 'given' || !isMessageList(list) || splitMessages(list).history.length === 0) return []
  const message = `${agentId} keeps its own session and cannot be given a history: only the user's first message may be in \`${key}\``
  return [{ code: 'no_history', path: [key], message, hint: 'play what was said before as `turns`' }]
}

function connectorIssues(authored: AuthoredCase, { connectorProblem }: AgentLimits): Issue[] {
  const named = [
    { path: ['options', 'connector'], id: authored.options?.connector },
    ...(authored.turns ?? []).map(({ options }, index) => ({
      path: ['turns', index, 'options', 'connector'],
      id: options?.connector,
    })),
  ]
  return named.flatMap(({ path, id }) => {
    const message = id === undefined ? undefined : connectorProblem(id)
    return message === undefined ? [] : [{ code: 'unknown_connector', path, message }]
  })
}

const notYetInCase = notYetKeys(caseSchema)
const notYetInTurn = notYetKeys(turnSchema)

/** Of a case that is wrong elsewhere too, so it is looked at as it was written. */
function notYetIssues(written: Record<string, unknown>): Issue[] {
  const found = (object: unknown, keys: string[], path: (string | number)[]): Issue[] =>
    keys
      .filter((key) => isRecord(object) && key in object)
      .map((key) => ({ code: 'not_yet', path: [...path, key], message: `"${key}" is not supported yet` }))
  const turns: unknown[] = Array.isArray(written.turns) ? written.turns : []
  return [
    ...found(written, notYetInCase, []),
    ...turns.flatMap((turn, index) => found(turn, notYetInTurn, ['turns', index])),
  ]
}

/** An issue with the place it has in a file. */
export function locate(
  issue: Issue,
  file: string,
  id: string | undefined,
  position: { line: number; column: number },
): Problem {
  const { code, message, hint, path } = issue
  const key = issue.key ?? path.findLast((part) => typeof part === 'string')
  return { code, message, file, ...position, ...defined({ id, key, hint }) }
}
