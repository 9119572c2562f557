import type { FailureSignature } from '../../analysis/shrink/failure.ts'
import type { SameFailure } from '../../analysis/shrink/same-failure.ts'
import type { CaseFrame } from '../../analysis/shrink/write-candidate.ts'
import type { BranchAgent } from '../../cases/branched-case.ts'
import {
  listReferences,
  type Reference,
  type RenameReference,
  renameReferences,
} from '../../cases/references.ts'
import { repeatableCheck } from '../../cases/repeatable-check.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import type { ReadConversation } from '../../results/case-from-result.ts'
import { failureText } from '../../results/failure-text.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'

/** A failed conversation, and the case that it was played from. */
export interface OriginalFailure {
  result: CaseResult
  failure: SameFailure
  own: Data | undefined
  /** The tools that its file stubs, even if the case has changed since. */
  stubNames: readonly string[]
  /** Processes are called by scripts, and their calls are in no reply. */
  isProcess(name: string): boolean
  /** The results file, as it was given. */
  from: string
}

/** What a case has for its whole conversation, besides its scripts. */
const kept = ['user', 'team', 'metadata', 'options', 'timeout', 'turn_timeout'] as const

export function createFrame(
  { result, failure: { reason }, own = {}, isProcess, from }: OriginalFailure,
  { id, name, tags, expected }: ReadConversation,
  agent: BranchAgent,
): CaseFrame {
  const about = `shrunk from ${from}, case ${id}`
  // What is shrunk once more has one origin.
  const ownName = name?.replace(/ ?\(?shrunk from .*$/s, '')
  const head = {
    id,
    name: ownName ? `${ownName} (${about})` : about,
    ...defined({ tags }),
    ...pickFields(own, kept),
    ...renameScripts(own, agent.rename),
  }
  const onMissingInput = reason.kind === 'missing_input' ? 'fail' : 'end'
  const tail = { ...createTail(result, reason, own, agent.rename), on_missing_input: onMissingInput }
  const stubs = pickStubs(own.stubs, isProcess)
  if (reason.kind !== 'assertion') return { head, tail, stubs }
  const assertion = repeatableCheck(reason.check.assertion, agent)
  if (typeof assertion === 'string')
    throw noStaticCase(result, `is decided by a check that cannot be made here: ${assertion}`)
  if (looksAtUser(assertion)) throw noStaticCase(result, 'depends on tool calls of the simulated user')
  // It has the value itself.
  const reference = assertion.type === 'equals' ? undefined : expected
  return { head, tail, stubs, check: { ...reason.check, assertion }, ...defined({ expected: reference }) }
}

/** All that the case that is left names, and that may be found only beside the file of the original. */
export function listFrameReferences({ reason }: SameFailure, own: Data = {}): Reference[] {
  const key = decidingField(reason)
  const deciding = reason.kind === 'assertion' ? reason.check.assertion : key && own[key]
  const scripts = listScripts(own).map(([, name]) => ({ kind: 'script' as const, name }))
  return [...scripts, ...listReferences(deciding)]
}

export function noStaticCase(
  { key, failure, termination }: CaseResult,
  why: string,
  more: { hint?: string } = {},
): ConfigError {
  const message = `${key.id} cannot be shrunk: that it failed (${failureText(failure, termination)}) ${why}`
  return new ConfigError({ code: 'no_static_case', message, ...more })
}

function looksAtUser(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { by, assertions } = value
  return by === 'user' || (Array.isArray(assertions) && assertions.some(looksAtUser))
}

/** The field of the case that decides about a failure of this kind, if it is none of a check. */
function decidingField({ kind }: FailureSignature): 'terminate_when' | 'checkpoints' | undefined {
  if (kind === 'condition_met') return 'terminate_when'
  return kind === 'missing_checkpoints' || kind === 'checkpoint_failed' ? 'checkpoints' : undefined
}

/** Results files have only what came of checkpoints and conditions, so they are taken from the case. */
function createTail(result: CaseResult, reason: FailureSignature, own: Data, rename: RenameReference): Data {
  const key = decidingField(reason)
  if (key === undefined) return {}
  if (own[key] === undefined)
    throw noStaticCase(result, `is decided by \`${key}\`, which the results file does not have`)
  const deciding = { [key]: renameReferences(own[key], rename) }
  if (key === 'checkpoints') return deciding
  return {
    ...deciding,
    on_condition_met: 'fail',
    on_exhausted: 'pass',
    on_max_turns_reached: 'pass',
  }
}

function renameScripts(own: Data, rename: RenameReference): Data {
  const named = listScripts(own).map(([key, name]) => [key, rename({ kind: 'script', name }) ?? name])
  return Object.fromEntries(named)
}

function listScripts(own: Data): [key: string, name: string][] {
  return (['before', 'after'] as const).flatMap((key) => {
    const name = own[key]
    return typeof name === 'string' ? [[key, name]] : []
  })
}

function pickFields(own: Data, keys: readonly string[]): Data {
  return Object.fromEntries(keys.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])))
}

export function pickStubs(stubs: unknown, isWanted: (name: string) => boolean): Data {
  return isRecord(stubs) ? Object.fromEntries(Object.entries(stubs).filter(([name]) => isWanted(name))) : {}
}
