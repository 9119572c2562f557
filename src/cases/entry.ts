import { hash as digest } from 'node:crypto'
import { type Assertion, listValidatorsIn } from '../checks/list.ts'
import type { Plan } from '../conversation/plan.ts'
import type { Problem } from '../errors.ts'
import { sortedJson } from '../json/json.ts'
import type { CaseResult } from '../results/result.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { KeptPlay } from '../scope/tape.ts'
import type { TestHost } from '../scripts/runner/test-host.ts'
import type { SuiteRequest } from '../scripts/worker/calls/suite.ts'
import { type AuditAgent, auditAgentOf } from './audit-agents.ts'
import type { AuthoredCase, AuthoredTurn } from './case-schema.ts'
import type { CaseUse } from './case-use.ts'
import { listAssertions } from './places.ts'
import { isMultiTurn, readSimulatorSettings } from './simulated.ts'

/** The part of a case that is kept between the two passes. Plain JSON, because it is sent to other processes. */
export interface CaseEntry {
  id: string
  name?: string
  /** Relative to the project, with `/`; empty for a message given on the command line. */
  file: string
  line: number
  /** The hash of the case as written, independent of the file format. */
  hash: string
  tags: string[]
  multiTurn?: boolean
  /** It only checks that the agent answers. */
  unchecked?: boolean
  /** Its author has it skipped. */
  skipped?: boolean
  /** The retries after a failure, if the case sets them. */
  retries?: number
  /** The simulator that the case names; whether it can be loaded is only known later. */
  simulator?: string
  /** Agents that judge it; they are loaded when the case is played. */
  validators?: string[]
  /** Its timeout, for cases that another process plays. */
  timeoutMs?: number
  /** Tools it replaces; whether they exist is only known when their servers run. */
  stubs?: string[]
  /** The same for tools of its simulated user. */
  userStubs?: string[]
  /** What else of the project it names, for its fingerprint. */
  uses?: readonly CaseUse[]
  /** The files that it sends, relative to the project. */
  files?: readonly string[]
  /** Missing connectors, judges or simulators: an error only if the case is selected. */
  lacks?: Problem[]
  /** Where the body is: a byte range of the file, inline, a function of a script file, or a suite. */
  at: { bytes: [number, number] } | { inline: unknown } | { script: string } | SuiteCasePlace
}

/** A case of a suite with that agent. */
export interface SuiteCasePlace {
  suite: string
  /** The agents of an audit that may pass it. */
  auditAllows?: readonly AuditAgent[]
  /** In an audit: the variants that play it in place of the suite's agent. */
  against?: readonly string[]
}

/** The tests of a script file share their setup, so they are one job. */
export function isScriptTest({ at }: Pick<CaseEntry, 'at'>): boolean {
  return 'script' in at
}

/** The agent of a suite case, which brings its own. */
export function suiteAgent({ at }: Pick<CaseEntry, 'at'>): string | undefined {
  return 'suite' in at ? at.suite : undefined
}

/** The agent of an audit that plays a suite case as this variant; undefined where the suite's own agent does. */
export function auditAgentFor({ at }: Pick<CaseEntry, 'at'>, variant: string): AuditAgent | undefined {
  return 'suite' in at && at.against?.includes(variant) ? auditAgentOf(variant) : undefined
}

/** One unit of work, small enough to send to another process, which loads the cases by their entries. */
export interface Job {
  planHash: string
  entries: CaseEntry[]
  variant: string
  run: number
  attempt: number
}

/** A loaded case. It may contain functions and never leaves its process. */
export type Case = ConversationCase | ScriptCase | SuiteCase

/** A suite case is played in the process that loads the suite, because its functions cannot leave it. */
export interface SuiteCase {
  kind: 'suite'
  /**
   * `onKept` receives what the tape in the request has kept. With a recorded result, its conversation is graded, and the agent
   * is not called.
   */
  play(
    request: SuiteRequest,
    scope: Scope,
    onTurn: (turn: Turn) => void,
    onKept: (kept: KeptPlay) => void,
    recorded?: CaseResult,
  ): Promise<CaseResult>
}

/** A test in a script file. */
export interface ScriptCase {
  kind: 'script'
  tests: TestHost
  /** The agent that the script belongs to, or an empty string. */
  agentId: string
  /** Paths in messages are relative to this folder. */
  root: string
}

export interface ConversationCase {
  kind: 'conversation'
  plan: Plan
  /** The hash of what the agent is given besides the messages; absent for suites. */
  givenHash?: string
  skip?: string
  timeoutMs?: number
  user?: string
  team?: string
  metadata: Record<string, unknown>
  expected?: unknown
  expectedFailure?: string
  /** Agents of `viva audit` that may pass it. */
  auditAllows?: readonly AuditAgent[]
  /** Prepares the case. The result is passed to `after`, and an object is added to the variables. */
  before?(scope: Scope): Promise<unknown>
  /** Cleans up, whatever the result. */
  after?(result: unknown, prepared: unknown, scope: Scope): Promise<void>
}

/**
 * A source of cases. The first pass validates all of them and keeps an entry for each; the second loads
 * the body of a case when it is played.
 */
export interface CaseSource {
  /** The name that the user gave, for the banner. */
  label: string
  /** The file next to which the default output is written, if there is one. */
  file?: string
  index(): AsyncIterable<CaseEntry | Problem>
  /** Not a promise where there is nothing to wait for. */
  load(entry: CaseEntry): Case | Promise<Case>
  /** Compiles a case with changes, as if it was written so. Throws `ConfigError` if it is not valid then. */
  loadChanged?(entry: CaseEntry, change: (authored: AuthoredCase) => AuthoredCase): ConversationCase
  /** The case as it was written, where it is in no file that another process could read. */
  written?(entry: CaseEntry): unknown
  /** Frees what was kept for loading. */
  close?(): Promise<void>
}

/** Most cases have no tags: 100,000 empty lists take 3 MB. */
const noTags: string[] = []

/** `hash` is of what was written, not of what a schema made of it. */
export function caseEntry(
  authored: AuthoredCase,
  hash: string,
  place: Pick<CaseEntry, 'file' | 'line' | 'at'>,
): CaseEntry {
  const { id, name, tags = noTags, retries } = authored
  const { file, line, at } = place
  const entry: CaseEntry = { id, file, line, hash, tags, at }
  const stubs = stubNames(authored)
  const { use: simulator, stubs: userStubs } = readSimulatorSettings(authored, undefined) ?? {}
  const validators = listValidators(authored)
  if (name !== undefined) entry.name = name
  if (isMultiTurn(authored)) entry.multiTurn = true
  if (checksNothing(authored)) entry.unchecked = true
  if (authored.skip) entry.skipped = true
  if (retries !== undefined) entry.retries = retries
  if (stubs !== undefined) entry.stubs = stubs
  if (simulator !== undefined) entry.simulator = simulator
  if (userStubs !== undefined) entry.userStubs = Object.keys(userStubs)
  if (validators !== undefined) entry.validators = validators
  return entry
}

function listValidators(authored: AuthoredCase): string[] | undefined {
  const named: string[] = []
  for (const { assertion } of listAssertions(authored)) named.push(...listValidatorsIn(assertion))
  return named.length === 0 ? undefined : [...new Set(named)]
}

function stubNames({ stubs, turns = [] }: AuthoredCase): string[] | undefined {
  const names: string[] = []
  for (const name in stubs) names.push(name)
  for (const turn of turns) for (const name in turn.stubs) names.push(name)
  return names.length === 0 ? undefined : [...new Set(names)]
}

/** Checks with `gates: false` do not decide the result, so they do not count. */
function checksNothing(authored: AuthoredCase): boolean {
  const { turns = [], final_assertions, checkpoints = [] } = authored
  return !(
    isChecked(authored) ||
    turns.some(isChecked) ||
    someGates(final_assertions) ||
    checkpoints.some(({ required = true, forbidden }) => required || forbidden)
  )
}

function isChecked({
  assert,
  assertions,
  expected,
}: Pick<AuthoredTurn, 'assert' | 'assertions' | 'expected'>): boolean {
  const own = assert ?? assertions
  const isEmpty = own === undefined || (Array.isArray(own) && own.length === 0)
  return isEmpty ? expected !== undefined : someGates(own)
}

function someGates(own: Assertion | Assertion[] | undefined): boolean {
  return Array.isArray(own)
    ? own.some(({ gates }) => gates !== false)
    : own !== undefined && own.gates !== false
}

/** The same case has the same hash in every file format. */
export function hashCase(authored: unknown): string {
  return digest('sha256', sortedJson(authored)).slice(0, 16)
}
