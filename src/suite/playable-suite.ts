import type { Agent } from '../agents/agent.ts'
import type { CaseEntry } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { resultToLine } from '../results/line.ts'
import type { ResultLine, TurnLine } from '../results/line-schema.ts'
import { turnToLine } from '../results/turn-line.ts'
import { playCase } from '../run/play-case.ts'
import type { Stage } from '../run/stage.ts'
import { Targets } from '../scope/targets.ts'
import type { SuiteRequest } from '../scripts/worker/calls/suite.ts'
import type { AnyTestCase, SuiteCaseSettings } from './compile-case.ts'
import { hideSecrets } from './secrets.ts'
import { type SuiteSource, testCaseSource } from './suite-source.ts'
import { followSignal, suiteStage } from './suite-stage.ts'

/** A suite as `viva test -i x.suite.ts` plays it: case by case, told as lines of a journal. */
export function playableSuite(agent: Agent, settings: SuiteCaseSettings) {
  const sources = new WeakMap<object, SuiteSource>()
  const sourceOf = (cases: unknown): SuiteSource => {
    if (typeof cases !== 'object' || cases === null || !(Symbol.iterator in cases))
      throw new ConfigError({ code: 'bad_suite', message: '`cases` must be a list of test cases' })
    const source = sources.get(cases) ?? testCaseSource([...(cases as Iterable<AnyTestCase>)], settings)
    sources.set(cases, source)
    return source
  }
  return {
    index(cases: unknown) {
      return { agent: agent.id, cases: [...sourceOf(cases).entries()].map(shownEntry) }
    },
    async play(
      cases: unknown,
      request: SuiteRequest,
      signal: AbortSignal,
      // A command of another version may not ask for it.
      onTurn?: (turn: TurnLine) => void,
    ): Promise<ResultLine> {
      const source = sourceOf(cases)
      const entry = source.entry(request.id)
      if (entry === undefined) throw new Error(`there is no case ${request.id}`)
      const { id, run, attempt, timeoutMs } = request
      const key = { file: '', id, variant: agent.id, run, attempt }
      const redact = hideSecrets()
      const emit: Stage['emit'] = (event) => {
        if (event.type === 'turn') onTurn?.(redact()(turnToLine(event.turn)))
      }
      const stage = {
        ...suiteStage(new Map([[agent.id, agent]]), timeoutMs),
        source,
        targets: new Targets(),
        emit,
      }
      const stop = followSignal(signal)
      try {
        return redact()(resultToLine(await playCase(entry, key, agent, stage, stop.signal)))
      } finally {
        stop.release()
      }
    },
  }
}

function shownEntry({ id, name, hash, tags, multiTurn, unchecked, timeoutMs }: CaseEntry) {
  return { id, hash, tags, ...defined({ name, multiTurn, unchecked, timeoutMs }) }
}
