import { errorMessage } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { extractJson, extractOrRepairJson } from '../json/extract-json.ts'
import { compilePath, type DataPath } from '../json/path.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { reasonLine } from '../text/reason-line.ts'
import { shorten } from '../text/shorten.ts'
import type { Check } from './check.ts'
import type { CheckHelpers } from './check-helpers.ts'
import {
  type AssertionDefinition,
  type CheckVerdict,
  type JudgeSubject,
  negateVerdict,
  type ReplyData,
  type Subject,
  type Where,
  withRepairNote,
} from './definition.ts'
import { compactJson } from './describe.ts'
import type { NestedAssertion as Assertion } from './group.ts'
import { selectTurns } from './select-turns.ts'

interface CompiledAssertion {
  judge: JudgeSubject
  path: DataPath | undefined
  assertion: Assertion
  where: Where
  looksAt: AssertionDefinition['looksAt']
  extract: (text: string) => ReplyData | undefined
}

/** Compiles an assertion to a check, which selects the turns, judges them and describes the result. */
export function compileCheck(
  definition: AssertionDefinition,
  assertion: Assertion,
  where: Where,
  helpers: CheckHelpers,
): Check {
  const { looksAt, repairsJson } = definition
  const extract = repairsJson ? extractOrRepairJson : extractJson
  const path = assertion.path === undefined || looksAt !== 'output' ? undefined : compilePath(assertion.path)
  const stands = assertion.turn === undefined && assertion.scope === undefined ? where : 'turn'
  const judge = definition.compile(assertion, stands, helpers)
  const compiled = { judge, path, assertion, where, looksAt, extract }
  return {
    type: definition.type,
    run(view, turn, scope) {
      const fail = (error: unknown) => {
        scope.stop.throwIfAborted()
        const reason = `could not be judged: ${safeMessage(error)}`
        return toCheckResult(assertion, { status: 'error', reason })
      }
      try {
        const judging = judgeTurns(compiled, view, turn, scope)
        if (!(judging instanceof Promise)) return toCheckResult(assertion, judging)
        return judging.then((verdict) => toCheckResult(assertion, verdict)).catch(fail)
      } catch (error) {
        return fail(error)
      }
    },
  }
}

function safeMessage(error: unknown): string {
  try {
    return errorMessage(error)
  } catch {
    return 'unknown error'
  }
}

function judgeTurns(
  compiled: CompiledAssertion,
  view: View,
  current: number,
  scope: Scope,
): CheckVerdict | Promise<CheckVerdict> {
  const { where, looksAt, assertion } = compiled
  const { turn, scope: over, negate = false } = assertion
  const selection = selectTurns({ where, looksAt, turn, scope: over }, view.turns, current)
  if ('missing' in selection) return { status: 'unknown', reason: selection.missing }
  const verdicts: CheckVerdict[] = []
  // Not in any turn is: in all turns not. So each turn is negated by itself, and those with nothing there stay failed.
  const must = (selection.must === 'any') === negate ? 'all' : 'any'
  const settling = must === 'any' ? 'passed' : 'failed'
  const judgeFrom = (place: number): CheckVerdict | Promise<CheckVerdict> => {
    const turns = selection.groups[place]
    if (turns === undefined) return combineVerdicts(verdicts, must)
    const goOn = (found: CheckVerdict) => {
      const judged = negate ? negateVerdict(found) : found
      const verdict = selection.named ? prefixReason(`turn ${turns[0]?.number}: `, judged) : judged
      if (verdict.status === settling) return verdict
      verdicts.push(verdict)
      return judgeFrom(place + 1)
    }
    const judging = judgeGroup(compiled, turns, view, scope)
    return judging instanceof Promise ? judging.then(goOn) : goOn(judging)
  }
  return judgeFrom(0)
}

function judgeGroup(
  compiled: CompiledAssertion,
  turns: readonly Turn[],
  view: View,
  scope: Scope,
): CheckVerdict | Promise<CheckVerdict> {
  const { path, where, judge, extract } = compiled
  const reply = turns.findLast((turn) => turn.reply !== undefined)?.reply
  if (reply === undefined) return { status: 'unknown', reason: 'the agent gave no reply' }
  const { output } = reply
  const data = once(() => (typeof output === 'string' ? extract(output) : { value: output }))
  const subject: Subject = { output, name: 'output', data, turns, where, view, scope }
  if (path === undefined) return judge(subject)

  const whole = data()
  const part = whole === undefined ? undefined : path.find(whole.value)
  if (part !== undefined)
    return judge({ ...subject, output: part.value, name: path.source, data: () => ({ ...whole, ...part }) })
  const why = whole === undefined ? ' (the reply contains no JSON)' : ''
  return withRepairNote(
    { status: 'failed', reason: `${path.source} is missing${why}`, nothingThere: true },
    whole,
  )
}

function once<T>(compute: () => T): () => T {
  let done: { value: T } | undefined
  return () => {
    done ??= { value: compute() }
    return done.value
  }
}

/** No turn settled it: the first that leaves it open decides, else all agree. */
function combineVerdicts(verdicts: readonly CheckVerdict[], must: 'any' | 'all'): CheckVerdict {
  const open =
    verdicts.find(({ status }) => status === 'error') ?? verdicts.find(({ status }) => status === 'unknown')
  const last = open ?? verdicts.at(-1) ?? { status: 'unknown', reason: 'there is no turn to look at' }
  return open !== undefined || verdicts.length < 2
    ? last
    : prefixReason(`in ${must === 'any' ? 'none' : 'each'} of ${verdicts.length} turns; `, last)
}

function prefixReason(prefix: string, verdict: CheckVerdict): CheckVerdict {
  const { reason, negatedReason } = verdict
  const negated = negatedReason === undefined ? {} : { negatedReason: prefix + negatedReason }
  return { ...verdict, reason: prefix + reason, ...negated }
}

function toCheckResult(assertion: Assertion, judged: CheckVerdict): CheckResult {
  const { status, reason, expected, actual, score, details, nothingThere, unchecked } = judged
  const message = status === 'passed' ? undefined : assertion.message
  const result: CheckResult = {
    type: assertion.type,
    status,
    gates: assertion.gates ?? true,
    reason: reasonLine(message === undefined ? reason : `${message}: ${reason}`),
    fields: writtenFields(assertion),
  }
  if (expected !== undefined) result.expected = expected
  if (actual !== undefined) result.actual = limitActual(actual)
  if (score !== undefined) result.score = score
  if (details !== undefined) result.details = limitDetails(details)
  if (nothingThere !== undefined) result.nothingThere = nothingThere
  if (unchecked !== undefined) result.unchecked = unchecked
  return result
}

// The turn already has the output; a long one is not repeated for every check.
const maxActualLength = 20_000

function limitActual(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, maxActualLength)
  if (typeof value !== 'object') return value
  const json = compactJson(value)
  return json.length > maxActualLength ? shorten(json, maxActualLength) : value
}

function limitDetails(details: Record<string, unknown>): Record<string, unknown> {
  const bound = limitActual(details)
  return typeof bound === 'string' ? { shortened: bound } : details
}

/** What results say that the author wrote. */
export function writtenFields({ type: _type, ...written }: Assertion): Record<string, unknown> {
  return defined(written.negate === false ? { ...written, negate: undefined } : written)
}
