import { stringify } from '../../../json/equal/untouched.ts'
import { isRecord } from '../../../json/json.ts'
import type { TapeData } from '../../../scope/tape.ts'
import { suiteName } from '../../protocol/suite-name.ts'
import { isFunction } from '../is-function.ts'
import { exportNames, findExport, LoadError, loadModule, reportLoading } from '../load.ts'
import { owningCall } from '../running-call.ts'

/**
 * A suite of the user, created by the copy of viva that the user's module imports. It plays its cases here, and reports
 * results and turns as they are written to a journal.
 */
interface PlayableSuite {
  /** Lists the suite's cases, which the module exports beside it. */
  index(cases: unknown): unknown
  play(
    cases: unknown,
    request: SuiteRequest,
    signal: AbortSignal,
    onTurn: (turn: object) => void,
    onKept: (kept: object) => void,
  ): Promise<unknown>
  /** Absent in versions that cannot grade: they would call the agent. */
  grade?: PlayableSuite['play']
  /** The same with an agent that must not pass. */
  audit?: PlayableSuite['play']
}

/** One play of one case. */
export interface SuiteRequest {
  id: string
  run: number
  attempt: number
  timeoutMs: number
  /** `--stub-all` */
  stubAll?: boolean
  /** Where its calls are kept, or answered from. */
  tape?: TapeData
  /** The agent of an audit that plays it in place of the suite's. */
  against?: string
  /** Variables of the environment whose values the config lists as secrets. */
  secrets?: readonly string[]
  /** A line of a results file: its conversation is graded. */
  recorded?: object
}

/** What the play has kept of its calls, as JSON text. */
export interface SuiteKept {
  kept: string
}

/** A finished turn: a `TurnLine` as JSON text, which not every transport between processes would preserve. */
export interface SuiteEvent {
  turn: string
}

/** What the suite says is wrong with its cases is returned: an error would lose all but its text. */
export async function indexSuite({ file }: { file: string }): Promise<unknown> {
  const { suite, cases } = await loadSuite(file)
  try {
    return await suite.index(cases)
  } catch (error) {
    // Its class is that of the user's copy of viva.
    if (!(error instanceof Error && error.name === 'ConfigError' && 'problems' in error)) throw error
    return { problems: error.problems }
  }
}

export async function playSuiteCase(
  { file, request }: { file: string; request: SuiteRequest },
  signal: AbortSignal,
): Promise<unknown> {
  const { suite, cases } = await reportLoading(() => loadSuite(file))
  const report = owningCall()?.report
  const onTurn = (turn: object) => report?.({ turn: stringify(turn) } satisfies SuiteEvent)
  const onKept = (kept: object) => report?.({ kept: stringify(kept) } satisfies SuiteKept)
  const method = request.recorded !== undefined ? 'grade' : request.against !== undefined ? 'audit' : 'play'
  const play = suite[method]
  if (!isFunction(play)) throw new LoadError(file, `it imports a version of vivavoce that ${cannot[method]}`)
  return play.call(suite, cases, request, signal, onTurn, onKept)
}

const cannot = {
  play: 'cannot play it',
  grade: 'cannot grade recorded conversations',
  audit: 'cannot audit it',
}

async function loadSuite(file: string): Promise<{ suite: PlayableSuite; cases: unknown }> {
  const exports = await loadModule(file)
  const exported = findExport(exports, 'default', file)
  const suite = isRecord(exported) ? (exported as Record<symbol, unknown>)[suiteName] : undefined
  if (!isPlayable(suite))
    throw new LoadError(file, 'the default export must be a suite, made by createEvalSuite')
  if (!exportNames(exports).includes('cases'))
    throw new LoadError(file, 'it exports no `cases`: the test cases of the suite')
  const cases = findExport(exports, 'cases', file)
  return { suite, cases: isFunction(cases) ? await callOnce(cases) : cases }
}

/** A function that returns the cases is called once: its result is what is played. */
const callResults = new WeakMap<object, unknown>()

async function callOnce(cases: (...args: unknown[]) => unknown): Promise<unknown> {
  if (!callResults.has(cases)) callResults.set(cases, cases())
  return callResults.get(cases)
}

function isPlayable(value: unknown): value is PlayableSuite {
  return isRecord(value) && isFunction(value.index) && isFunction(value.play)
}
