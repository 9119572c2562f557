import type { Agent } from '../agents/agent.ts'
import { vivaSimulator } from '../agents/helpers/viva-simulator.ts'
import type { CheckHelpers } from '../checks/check-helpers.ts'
import { findProblems } from '../checks/list.ts'
import type { Problem } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import { describeIssues, describePath, type Issue } from '../json/validation/issues.ts'
import type { Data } from '../results/transcript/message.ts'
import { type FindFile, fileProblem } from './attached-file.ts'
import { type AuthoredCase, caseSchema } from './case-schema.ts'
import type { CaseUse } from './case-use.ts'
import type { Path } from './formats/case-format.ts'
import { isMessage, isMessageList } from './input.ts'
import { parseCase } from './parse-case.ts'
import { type CasePlaces, listPlaces, listSources } from './places.ts'
import { rules } from './rules.ts'
import { readSimulatorSettings } from './simulated.ts'
import type { Speakers } from './speakers.ts'
import { findStubNameProblem } from './stubs.ts'

/** What the agent under test supports; a case that needs more is rejected before anything runs. */
export interface AgentLimits {
  agentId: string
  /** Accepts values other than messages. */
  anyInput: boolean
  /** `none`: it uses no connector of viva. `needed`: it has none, so a case must name one. */
  connectors: 'none' | 'own' | 'needed'
  /** `kept`: it remembers the conversation itself and cannot be given a history. */
  history: 'given' | 'kept'
  /** Only tools whose calls viva decides about can be replaced. */
  tools: Agent['tools']
  /** The agent whose tools are meant: of several, the one that shows least of them. */
  toolsOf: string
  /** Undefined if the connector can be used. */
  connectorProblem(id: string): string | undefined
  /** Undefined if the agent has the prompt preset, or has no presets at all. */
  presetProblem(preset: string): string | undefined
}

/** What is around a case when it is validated: the agent, where its files are, what its checks may ask for. */
export interface CaseSurroundings {
  limits: AgentLimits
  findFile: FindFile
  helpers: CheckHelpers
  speakers: Speakers
  /** Called with what the others are not asked for. */
  note?(use: CaseUse): void
}

export type ValidationResult =
  | { ok: true; authored: AuthoredCase }
  /** `authored` is set if the case is valid and only lacks something it needs to be played. */
  | { ok: false; issues: Issue[]; authored?: AuthoredCase }

/** Missing connectors, keys, judges, simulators and tools to stub: only errors if a selected case needs them. */
const missingServiceCodes = ['no_helper', 'bad_simulator', 'no_connector', 'unknown_connector', 'no_stubs']

/** Everything that can be said about a case without playing it. All faults at once. */
export function validateCase(value: unknown, surroundings: CaseSurroundings): ValidationResult {
  if (!isRecord(value)) {
    return { ok: false, issues: [{ code: 'wrong_type', path: [], message: 'a case must be a JSON object' }] }
  }
  const data = parseCase(value)
  const issues = data
    ? [...findIssues(data, surroundings), ...stubNameIssues(value)]
    : describeCaseIssues(value)
  if (data && issues.length === 0) return { ok: true, authored: data }
  const onlyLacks = data !== undefined && issues.every(({ code }) => missingServiceCodes.includes(code))
  return { ok: false, issues, ...(onlyLacks && { authored: data }) }
}

/** What the schema does not find. */
function findIssues(data: AuthoredCase, surroundings: CaseSurroundings): Issue[] {
  const { limits, helpers, speakers } = surroundings
  const places = listPlaces(data)
  const issues: Issue[] = []
  const add = (found: Issue[]) => {
    // Nearly all lists are empty: a spread would take longer.
    for (const issue of found) issues.push(issue)
  }
  for (const rule of rules) add(rule(data, places, speakers))
  add(inputIssues(places, limits))
  add(connectorIssues(places, limits))
  add(presetIssues(places, limits))
  add(fileIssues(places, surroundings))
  add(historyIssues(data, limits))
  add(helperIssues(places, helpers))
  add(scriptIssues(data, helpers))
  add(simulatorIssues(data, speakers))
  add(stubIssues(places, limits))
  if (data.interactive?.enabled) surroundings.note?.({ kind: 'person' })
  return issues
}

/** The inputs are only needed for messages, and make parsing slower. */
function describeCaseIssues(value: unknown): Issue[] {
  const { error } = caseSchema.safeParse(value, { reportInput: true })
  return error === undefined ? [] : describeIssues(error, caseSchema)
}

function inputIssues({ inputs }: CasePlaces, { agentId, anyInput }: AgentLimits): Issue[] {
  if (anyInput) return []
  return inputs
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
  if (history === 'given' || !isMessageList(list)) return []
  const before = list.at(-1)?.role === 'user' ? list.length - 1 : list.length
  if (before === 0) return []
  const message = `${agentId} keeps its own session and cannot be given a history: only the user's first message may be in \`${key}\``
  return [{ code: 'no_history', path: [key], message, hint: 'write the earlier messages as `turns`' }]
}

function scriptIssues(authored: AuthoredCase, { scriptProblem }: CheckHelpers): Issue[] {
  return (['before', 'after'] as const).flatMap((key) => {
    const reference = authored[key]
    const message = reference === undefined ? undefined : scriptProblem(reference)
    return message === undefined
      ? []
      : [{ code: 'unknown_script', path: [key], message: `${key}: ${message}` }]
  })
}

function simulatorIssues(authored: AuthoredCase, { simulators, simulator }: Speakers): Issue[] {
  const settings = readSimulatorSettings(authored, simulator)
  if (settings === undefined) return []
  const { use, options, brief } = settings
  const path = authored.simulator?.use === undefined ? ['simulator'] : ['simulator', 'use']
  const problem = simulators.problem(use, options.connector as string | undefined)
  if (problem !== undefined) return [{ code: 'bad_simulator', path, message: problem }]
  if (use !== vivaSimulator || brief.persona !== undefined || brief.goal !== undefined) return []
  const message = `${vivaSimulator} needs a \`persona\` or a \`goal\``
  return [{ code: 'bad_simulator', path: ['simulator'], message }]
}

const stubHint =
  'stubs are for tools that viva calls, which are named in `mcp` or `tools` of an agent in the config, and for tools that a module wraps: const tools = ctx.tools({ lookUp, createOrder }). In any other agent, replace the tool itself'

function stubIssues({ parts }: CasePlaces, { tools, toolsOf }: AgentLimits): Issue[] {
  if (tools === 'served' || tools === 'wrapped') return []
  const message = `${toolsOf} runs its tools itself: viva cannot stub what it cannot see`
  return parts
    .filter(({ written }) => written.stubs !== undefined)
    .map(({ path }) => ({ code: 'no_stubs', path: [...path, 'stubs'], message, hint: stubHint }))
}

/** Looks at the case as it is written: the parsed one lacks such names. */
function stubNameIssues({ stubs, turns }: Data, path: Path = []): Issue[] {
  const problem = isRecord(stubs) ? findStubNameProblem(stubs) : undefined
  const own =
    problem === undefined
      ? []
      : [{ code: 'wrong_value', path: [...path, 'stubs'], message: `stubs: ${problem}` }]
  if (!Array.isArray(turns)) return own
  return [...own, ...turns.flatMap((turn: Data, index) => stubNameIssues(turn, ['turns', index]))]
}

function connectorIssues({ parts }: CasePlaces, limits: AgentLimits): Issue[] {
  const named = parts.filter(({ written }) => written.options?.connector !== undefined)
  if (limits.connectors === 'needed' && named.length === 0) {
    const message = `agent ${limits.agentId} has no connector, and the case names none`
    const hint = 'add "connector" to its package.yao, or use -c'
    return [{ code: 'no_connector', path: [], message, hint }]
  }
  return named.flatMap(({ path, written }) => {
    const message =
      limits.connectors === 'none'
        ? `${limits.agentId} has no connector to choose`
        : limits.connectorProblem(written.options?.connector ?? '')
    const place = [...path, 'options', 'connector']
    return message === undefined ? [] : [{ code: 'unknown_connector', path: place, message }]
  })
}

function presetIssues({ authored, parts }: CasePlaces, limits: AgentLimits): Issue[] {
  const issues: Issue[] = []
  const check = (metadata: Data | undefined, path: Path) => {
    const preset = metadata?.__prompt_preset
    const message = typeof preset === 'string' && preset !== '' ? limits.presetProblem(preset) : undefined
    if (message !== undefined)
      issues.push({ code: 'unknown_preset', path: [...path, 'metadata', '__prompt_preset'], message })
  }
  check(authored.metadata, [])
  for (const { path, written } of parts)
    if (written.options !== undefined) check(written.options.metadata, [...path, 'options'])
  return issues
}

function fileIssues(places: CasePlaces, { findFile, note }: CaseSurroundings): Issue[] {
  const issues: Issue[] = []
  for (const { path, source, type } of listSources(places)) {
    if (!source.startsWith('file:')) {
      if (!source.startsWith('data:')) note?.({ kind: 'url', name: source })
      continue
    }
    const message = fileProblem(source, type, findFile)
    if (message !== undefined) issues.push({ code: 'bad_file', path, message })
  }
  return issues
}

function helperIssues({ assertions }: CasePlaces, helpers: CheckHelpers): Issue[] {
  const issues: Issue[] = []
  for (const { path, assertion } of assertions) {
    findProblems(assertion, helpers, (below, message) => {
      const place = [...path, ...[below].flat().map((part) => (typeof part === 'symbol' ? '' : part))]
      issues.push({ code: 'no_helper', path: place, message: `${describePath(place)}: ${message}` })
    })
  }
  return issues
}

/** Adds the position in the file to an issue. */
export function locateIssue(
  issue: Issue,
  file: string,
  id: string | undefined,
  position: { line: number; column: number },
): Problem {
  const { code, message, hint, path } = issue
  const key = issue.key ?? path.findLast((part) => typeof part === 'string')
  return { code, message, file, ...position, ...defined({ id, key, hint }) }
}
