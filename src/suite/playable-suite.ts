import type { Agent } from '../agents/agent.ts'
import { withFailingTools } from '../analysis/audit/failing-tools.ts'
import { trivialAgents } from '../analysis/audit/trivial-agents.ts'
import { describeChangedMessages } from '../conversation/changed-messages.ts'
import { ConfigError, InfrastructureError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Redactor } from '../privacy/redact.ts'
import { resultFromLine, resultToLine } from '../results/line.ts'
import type { ResultLine, TurnLine } from '../results/line-schema.ts'
import { isResultLine } from '../results/read-results.ts'
import { turnToLine } from '../results/turn-line.ts'
import { playCase } from '../run/play-case.ts'
import type { SavedConversations, Stage } from '../run/stage.ts'
import { MemoryTape } from '../scope/recording/tape.ts'
import type { KeptPlay, TapeData, Tapes } from '../scope/tape.ts'
import { Targets } from '../scope/targets.ts'
import type { SuiteRequest } from '../scripts/worker/calls/suite.ts'
import type { AnyTestCase, SuiteCaseSettings } from './compile-case.ts'
import { hideSecrets } from './secrets.ts'
import { type ListedCase, type SuiteSource, testCaseSource } from './suite-source.ts'
import { followSignal, suiteStage } from './suite-stage.ts'

/** A suite as `viva test -i x.suite.ts` plays it: case by case, told as lines of a journal. */
export function playableSuite(tested: (stubAll?: boolean) => Agent, settings: SuiteCaseSettings) {
  const sources = new WeakMap<object, SuiteSource>()
  const sourceOf = (cases: unknown): SuiteSource => {
    if (typeof cases !== 'object' || cases === null || !(Symbol.iterator in cases))
      throw new ConfigError({ code: 'bad_suite', message: '`cases` must be a list of test cases' })
    const source = sources.get(cases) ?? testCaseSource([...(cases as Iterable<AnyTestCase>)], settings)
    sources.set(cases, source)
    return source
  }
  const play = async (
    cases: unknown,
    request: SuiteRequest,
    signal: AbortSignal,
    // A command of another version may not ask for it.
    onTurn?: (turn: TurnLine) => void,
    onKept?: (kept: KeptPlay) => void,
  ): Promise<ResultLine> => {
    const source = sourceOf(cases)
    const entry = source.entry(request.id)
    if (entry === undefined) throw new Error(`there is no case ${request.id}`)
    const { id, run, attempt, timeoutMs, tape, stubAll, against } = request
    const agent = against === undefined ? tested(stubAll) : createAuditAgent(against, tested())
    const key = { file: '', id, variant: agent.id, run, attempt }
    const redact = hideSecrets(request.secrets)
    const emit: Stage['emit'] = (event) => {
      if (event.type === 'turn') onTurn?.(redact()(turnToLine(event.turn)))
    }
    const stage = {
      ...suiteStage(new Map([[agent.id, agent]]), timeoutMs),
      source,
      targets: new Targets(),
      emit,
      ...defined({
        conversations: recordedConversation(request, redact),
        tapes: tape && handedTapes(tape, redact, onKept),
      }),
    }
    const stop = followSignal(signal)
    try {
      return redact()(resultToLine(await playCase(entry, key, agent, stage, stop.signal)))
    } finally {
      stop.release()
    }
  }
  // Without a result, the agent would be called.
  const grade: typeof play = async (cases, request, ...rest) => {
    if (!isResultLine(request.recorded)) throw new Error(`there is no result of ${request.id} to grade`)
    return play(cases, request, ...rest)
  }
  const audit: typeof play = async (cases, request, ...rest) => {
    if (request.against === undefined) throw new Error('there is no agent to audit with')
    return play(cases, request, ...rest)
  }
  return {
    index(cases: unknown) {
      return { agent: tested().id, cases: sourceOf(cases).list().map(shownEntry) }
    },
    play,
    /** The same with a saved result in the request. */
    grade,
    /** The same with an agent that must not pass. */
    audit,
  }
}

/** Those that do nothing answer with text, whatever the type of the outputs. */
function createAuditAgent(name: string, tested: Agent): Agent {
  const trivial: ReadonlyMap<string, Agent> = trivialAgents()
  return trivial.get(name) ?? withFailingTools(tested).agent
}

/** The conversation in the request, if there is one. Its values are JSON. */
function recordedConversation(
  { recorded }: SuiteRequest,
  redact: () => Redactor,
): SavedConversations | undefined {
  if (!isResultLine(recorded)) return undefined
  const result = resultFromLine(recorded)
  return {
    async find(_, plan) {
      const change = plan && describeChangedMessages(plan, result, redact())
      if (change === undefined) return result
      throw new InfrastructureError(
        'input_changed',
        `the recorded conversation is not one of this case any more: ${change}`,
      )
    },
  }
}

/** The tape of the one case that is played here, on behalf of another process. */
function handedTapes(
  data: TapeData,
  redact: () => Redactor,
  onKept: ((kept: KeptPlay) => void) | undefined,
): Tapes {
  return {
    has: () => true,
    open: () =>
      new MemoryTape(
        data,
        (call) => redact()(call),
        ({ isComplete, kept }) => {
          if (isComplete) onKept?.(kept)
        },
      ),
  }
}

function shownEntry({ entry, testCase: { auditAllows } }: ListedCase) {
  const { id, name, hash, tags, multiTurn, unchecked, skipped, timeoutMs } = entry
  return { id, hash, tags, ...defined({ name, multiTurn, unchecked, skipped, timeoutMs, auditAllows }) }
}
