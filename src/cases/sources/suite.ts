import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { errorMessage, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { resultFromLine, resultToLine } from '../../results/line.ts'
import { turnFromLine } from '../../results/turn-line.ts'
import type { KeptPlay } from '../../scope/tape.ts'
import { runScript } from '../../scripts/runner/run-script.ts'
import type { LoadContext } from '../../scripts/runner/script-host.ts'
import type { SuiteEvent, SuiteKept } from '../../scripts/worker/calls/suite.ts'
import { auditAgents } from '../audit-agents.ts'
import { type CaseEntry, type CaseSource, hashCase } from '../entry.ts'

/** The index that the script host returns for a suite. */
const casesSchema = z.strictObject({
  agent: z.string(),
  cases: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string().optional(),
      hash: z.string(),
      tags: z.array(z.string()),
      multiTurn: z.boolean().optional(),
      unchecked: z.boolean().optional(),
      skipped: z.boolean().optional(),
      timeoutMs: z.number().optional(),
      auditAllows: z.array(z.enum(auditAgents)).optional(),
    }),
  ),
})

/** What is wrong with the cases. A copy of viva of another version may say more. */
const problemsSchema = z.object({
  problems: z.array(
    z.object({
      message: z.string(),
      hint: z.string().optional(),
      file: z.string().optional(),
      line: z.number().optional(),
      column: z.number().optional(),
    }),
  ),
})

const indexSchema = z.union([casesSchema, problemsSchema])

/** A module that exports a suite and its cases. It is loaded where all code of the user is, and plays them there. */
export function suiteModuleSource(path: string, file: string, { scripts, signal }: LoadContext): CaseSource {
  return {
    label: file,
    async *index(): AsyncGenerator<CaseEntry | Problem> {
      try {
        const index = indexSchema.parse(await scripts.call({ kind: 'suite_index', file: path }, { signal }))
        if ('problems' in index) {
          for (const problem of index.problems)
            yield {
              code: 'bad_suite',
              file,
              ...(problem.file === undefined && { line: 1 }),
              ...defined(problem),
            }
          return
        }
        const { agent, cases } = index
        // Conditions and judges are code, so any change of the module may change the meaning of a case.
        const text = readFileSync(path, 'utf8')
        for (const { id, hash, tags, auditAllows, ...shown } of cases)
          yield {
            id,
            file,
            line: 1,
            hash: hashCase([hash, text]),
            tags,
            ...defined(shown),
            at: { suite: agent, ...defined({ auditAllows }) },
          }
      } catch (error) {
        signal.throwIfAborted()
        yield { code: 'bad_suite', message: errorMessage(error), file, line: 1 }
      }
    },
    load: async () => ({
      kind: 'suite',
      async play(asked, scope, onTurn, onKept, recorded) {
        const { resultLineSchema, turnLineSchema } = await import('../../results/line-schema.ts')
        const secrets = scripts.surroundings.listedSecrets
        const request = { ...asked, secrets, ...(recorded && { recorded: resultToLine(recorded) }) }
        const call = { kind: 'suite_case' as const, file: path, request }
        let reported = 0
        const onEvent = (event: unknown) => {
          if ('kept' in (event as SuiteKept)) return onKept(JSON.parse((event as SuiteKept).kept) as KeptPlay)
          const turn = turnLineSchema.safeParse(JSON.parse((event as SuiteEvent).turn))
          // A turn in the format of another version is skipped here; the result must be valid.
          if (!turn.success || scope.stop.aborted) return
          // A case is played again if its process died, so turns may arrive twice.
          if (turn.data.turn <= reported) return
          reported = turn.data.turn
          onTurn(turnFromLine(turn.data))
        }
        const line = await runScript(scripts, call, { name: file, scope, onEvent })
        return resultFromLine(resultLineSchema.parse(line))
      },
    }),
  }
}
