import { createHash } from 'node:crypto'
import { validatorsIn } from '../checks/list.ts'
import type { Plan } from '../conversation/plan.ts'
import type { Problem } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { sortedJson } from '../json/json.ts'
import type { CaseResult } from '../results/result.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { TestHost } from '../scripts/runner/test-host.ts'
import type { SuiteRequest } from '../scripts/worker/calls/suite.ts'
import type { AuditAgent } from './audit-agents.ts'
import type { AuthoredCase } from './case-schema.ts'
import { assertionsOf } from './places.ts'
import { isMultiTurn, simulatorOf } from './simulated.ts'

/** What is kept of every case between the two passes. Plain JSON: it crosses processes. */
export interface CaseEntry {
  id: string
  name?: string
  /** Relative to the project, with `/`; empty for a message given on the command line. */
  file: string
  line: number
  /** Of the case as written, whatever format it was written in. */
  hash: string
  tags: string[]
  /** It can have more than one turn. */
  multiTurn?: boolean
  /** It checks nothing but that the agent answers. */
  unchecked?: boolean
  /** How often it is played again after a failure, where the author says so. */
  retries?: number
  /** Who plays the user, where the case says so: whether that can be loaded is known when it is. */
  simulator?: string
  /** Who judges it, besides its own checks: they are loaded when the case is played. */
  validators?: string[]
  /** Its own limit, where the one who plays it is not the one who reads it. */
  timeoutMs?: number
  /** Tools it replaces: whether there are such tools is known when their servers run. */
  stubs?: string[]
  /** What it needs and is not there: a mistake once it is selected. */
  lacks?: Problem[]
  /** Where the body is: a stretch of the file, right here, a function of a script file, or a suite with that agent. */
  at: { bytes: [number, number] } | { inline: unknown } | { script: string } | { suite: string }
}

/** Tests of one file share what is set up for them, so they are one job. */
export function isScriptTest({ at }: Pick<CaseEntry, 'at'>): boolean {
  return 'script' in at
}

/** Who is asked, where the case brings its own agent. */
export function agentOfSuite({ at }: Pick<CaseEntry, 'at'>): string | undefined {
  return 'suite' in at ? at.suite : undefined
}

/** One piece of work, small enough to send to another process: the player loads the cases by their entries. */
export interface Job {
  planHash: string
  entries: CaseEntry[]
  variant: string
  run: number
  attempt: number
}

/** A loaded case: may hold functions and never leaves its process. */
export type Case = ConversationCase | ScriptCase | SuiteCase

/** A case of a suite, which is played where the suite is loaded: what it is made of never leaves that process. */
export interface SuiteCase {
  kind: 'suite'
  play(request: SuiteRequest, scope: Scope, onTurn: (turn: Turn) => void): Promise<CaseResult>
}

/** A test in a file of scripts. */
export interface ScriptCase {
  kind: 'script'
  tests: TestHost
  /** The agent that the script belongs to, where it does. */
  agentId: string
  /** Places in the user's code are told from here. */
  root: string
}

export interface ConversationCase {
  kind: 'conversation'
  plan: Plan
  skip?: string
  timeoutMs?: number
  user?: string
  team?: string
  metadata: Record<string, unknown>
  expected?: unknown
  expectedFailure?: string
  /** Agents of `viva audit` that may pass it. */
  auditAllows?: readonly AuditAgent[]
  /** Prepares the case. What it gives is for `after`, and where it is an object, among the variables. */
  before?(scope: Scope): Promise<unknown>
  /** Cleans up, whatever happened. */
  after?(result: unknown, prepared: unknown, scope: Scope): Promise<void>
}

/**
 * A place cases come from. The first pass validates all of them and keeps an entry each; the second loads
 * one body when it is played.
 */
export interface CaseSource {
  /** As the user named it, for the banner. */
  label: string
  /** The file a default output goes beside, where there is one. */
  file?: string
  index(): AsyncIterable<CaseEntry | Problem>
  load(entry: CaseEntry): Promise<Case>
  /** Lets go of what was kept for loading. */
  close?(): Promise<void>
}

/** `hash` is of what was written, not of what a schema made of it. */
export function caseEntry(
  authored: AuthoredCase,
  hash: string,
  place: Pick<CaseEntry, 'file' | 'line' | 'at'>,
): CaseEntry {
  const { id, name, tags = [], retries } = authored
  const multiTurn = isMultiTurn(authored) || undefined
  const unchecked = checksNothing(authored) || undefined
  const stubs = stubNames(authored)
  const simulator = simulatorOf(authored, undefined)?.use
  const validators = validatorsOf(authored)
  return {
    id,
    ...place,
    hash,
    tags,
    ...defined({ name, multiTurn, unchecked, retries, stubs, simulator, validators }),
  }
}

function validatorsOf(authored: AuthoredCase): string[] | undefined {
  const named = new Set(assertionsOf(authored).flatMap(({ assertion }) => validatorsIn(assertion)))
  return named.size === 0 ? undefined : [...named]
}

function stubNames({ stubs, turns = [] }: AuthoredCase): string[] | undefined {
  const names = new Set(
    [stubs, ...turns.map((turn) => turn.stubs)].flatMap((each) => Object.keys(each ?? {})),
  )
  return names.size === 0 ? undefined : [...names]
}

/** What is only tracked does not judge. */
function checksNothing(authored: AuthoredCase): boolean {
  const written = [authored, ...(authored.turns ?? [])].flatMap(({ assert, assertions, expected }) => {
    const own = [assert ?? assertions ?? []].flat()
    return own.length === 0 && expected !== undefined ? [{}] : own
  })
  const all: { gates?: boolean | undefined }[] = [...written, ...[authored.final_assertions ?? []].flat()]
  const deciding = (authored.checkpoints ?? []).some(
    ({ required = true, forbidden }) => required || forbidden,
  )
  return !deciding && all.every(({ gates }) => gates === false)
}

/** Of what was written: the same case has the same hash in every format. */
export function hashOf(authored: unknown): string {
  return createHash('sha256').update(sortedJson(authored)).digest('hex').slice(0, 16)
}
