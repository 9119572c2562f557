import type { CaseList } from '../../cases/case-list.ts'
import { ConfigError, errorMessage, InfrastructureError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { resultToLine } from '../../results/line.ts'
import type { ResultLine } from '../../results/line-schema.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { CleanUp } from '../../run/run.ts'
import { unwrapPrepared } from '../../run/unwrap-prepared.ts'
import type { ScriptCalls } from '../helpers/case-scripts.ts'
import { type OutsideWork, outsideCases } from '../outside-cases.ts'
import type { TestHelpers } from './helpers.ts'
import type { Settings } from './settings.ts'

/** `--before-all` and `--after-all`. */
export interface AroundRun {
  /** Throws when it fails: nothing is played then. */
  before(entries: CaseList, signal: AbortSignal): Promise<Prepared>
}

/** What `--before-all` has made ready. */
export interface Prepared extends CleanUp {
  /** Every case finds these among its variables. */
  variables: Data
}

interface AroundRunNeeds {
  settings: Settings
  outside: OutsideWork
  helpers: TestHelpers
  terminal: { note(line: string): void }
}

/** Scripts that are not there are found before anything is played. */
export const aroundRunPhase = {
  name: 'aroundRun',
  open({ settings, outside, helpers, terminal }: AroundRunNeeds): AroundRun {
    checkScripts(settings, helpers.scriptCalls)
    return createAroundRun(settings, outside, helpers.scriptCalls, terminal.note)
  },
} as const

function checkScripts({ beforeAll, afterAll }: Settings, { scriptProblem }: ScriptCalls): void {
  const flags = [
    ['--before-all', beforeAll],
    ['--after-all', afterAll],
  ] as const
  for (const [flag, reference] of flags) {
    const problem = reference === undefined ? undefined : scriptProblem(reference)
    if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `${flag}: ${problem}` })
  }
}

function createAroundRun(
  { beforeAll, afterAll, timeoutMs }: Settings,
  { identity, tapes }: OutsideWork,
  { callScript }: ScriptCalls,
  print: (line: string) => void,
): AroundRun {
  const call = (id: string, args: (ctx: unknown) => unknown[], signal: AbortSignal): Promise<unknown> =>
    outsideCases({ id, identity, agentId: '', timeoutMs, signal, print, tapes }, (scope) =>
      callScript(id, args, scope.child('script')),
    )
  const cleanUp = (lines: unknown[], prepared?: unknown) =>
    call(afterAll ?? '', (ctx) => [ctx, lines, prepared ?? null], new AbortController().signal)
  let isOver = false
  const preparedWith = (prepared: unknown): Prepared => ({
    variables: isRecord(prepared) ? prepared : {},
    async after(results) {
      if (afterAll === undefined || isOver) return undefined
      isOver = true
      const lines: unknown[] = []
      const problems: unknown[] = []
      const note = (error: unknown) => void problems.push(error)
      await readLines(results, lines).catch(note)
      // It is called with what there is: something must be cleaned up.
      await cleanUp(lines, prepared).catch(note)
      return problems.length === 0
        ? undefined
        : `--after-all ${afterAll} failed: ${problems.map(errorMessage).join('; ')}`
    },
  })
  return {
    async before(entries, signal) {
      // In an empty shard there is nothing to prepare, and nothing to clean up.
      isOver = entries.length === 0
      if (beforeAll === undefined || isOver) return preparedWith(undefined)
      const cases = Array.from(entries, ({ id, name, file, line, tags }) => ({ id, name, file, line, tags }))
      const given = await call(beforeAll, (ctx) => [ctx, cases], signal).catch(async (error: unknown) => {
        // What was half made ready is cleaned up.
        if (afterAll !== undefined)
          await cleanUp([]).catch((trouble: unknown) => print(errorMessage(trouble)))
        signal.throwIfAborted()
        throw new InfrastructureError(
          'before_error',
          `--before-all ${beforeAll} failed, nothing was run: ${errorMessage(error)}`,
        )
      })
      return preparedWith(unwrapPrepared(given))
    },
  }
}

/** In the order of the cases, whichever ended first. */
async function readLines(results: AsyncIterable<CaseResult>, lines: unknown[]): Promise<void> {
  const read: ResultLine[] = []
  try {
    for await (const result of results) read.push(resultToLine(result))
  } finally {
    lines.push(...read.sort(compareLines))
  }
}

function compareLines(one: ResultLine, other: ResultLine): number {
  return (
    compareText(one.file, other.file) ||
    (one.line ?? 0) - (other.line ?? 0) ||
    compareText(one.id, other.id) ||
    compareText(one.variant, other.variant) ||
    one.run - other.run ||
    one.attempt - other.attempt
  )
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
