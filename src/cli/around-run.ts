import type { CaseEntry } from '../cases/entry.ts'
import { ConfigError, InfrastructureError, messageOf } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { toLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { Identity } from '../run/identity.ts'
import { preparedBy } from '../run/prepared.ts'
import type { ScriptCalls } from './case-scripts.ts'
import { outsideCases } from './outside-cases.ts'
import type { Settings } from './settings.ts'

/** `--before-all` and `--after-all`. */
export interface AroundRun {
  /** Throws `ConfigError` for scripts that are not there. */
  check(): void
  /** What it gives as an object, every case finds among its variables. Throws when it fails: nothing is played then. */
  before(entries: readonly CaseEntry[], signal: AbortSignal): Promise<void>
  /** Always called once `before` was. Gives what went wrong. */
  after(results: AsyncIterable<CaseResult>): Promise<string | undefined>
}

export function createAroundRun(
  { beforeAll, afterAll, timeoutMs }: Settings,
  identity: Identity,
  { scriptProblem, callScript }: ScriptCalls,
  print: (line: string) => void,
): AroundRun {
  let prepared: unknown
  const call = (id: string, args: (ctx: unknown) => unknown[], signal: AbortSignal): Promise<unknown> =>
    outsideCases({ id, identity, agentId: '', timeoutMs, signal, print }, (scope) =>
      callScript(id, args, scope.child('script')),
    )
  const cleanUp = (lines: unknown[]) =>
    call(afterAll ?? '', (ctx) => [ctx, lines, prepared ?? null], new AbortController().signal)
  return {
    check() {
      const flags = [
        ['--before-all', beforeAll],
        ['--after-all', afterAll],
      ] as const
      for (const [flag, reference] of flags) {
        const problem = reference === undefined ? undefined : scriptProblem(reference)
        if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `${flag}: ${problem}` })
      }
    },
    async before(entries, signal) {
      if (beforeAll === undefined) return
      const cases = entries.map(({ id, name, file, line, tags }) => ({ id, name, file, line, tags }))
      const given = await call(beforeAll, (ctx) => [ctx, cases], signal).catch(async (error: unknown) => {
        // What was half made ready is cleaned up.
        if (afterAll !== undefined) await cleanUp([]).catch((trouble: unknown) => print(messageOf(trouble)))
        signal.throwIfAborted()
        throw new InfrastructureError(
          'before_error',
          `--before-all ${beforeAll} failed, nothing was run: ${messageOf(error)}`,
        )
      })
      prepared = preparedBy(given)
      if (isRecord(prepared)) identity.variables = prepared
    },
    async after(results) {
      if (afterAll === undefined) return undefined
      try {
        const lines: unknown[] = []
        for await (const result of results) lines.push(toLine(result))
        await cleanUp(lines)
        return undefined
      } catch (error) {
        return `--after-all ${afterAll} failed: ${messageOf(error)}`
      }
    },
  }
}
