import type { Writable } from 'node:stream'
import { errorMessage, InfrastructureError } from '../errors.ts'
import { jsonReport } from './json-report.ts'
import { printable } from './printable.ts'
import { listenToRun, type ReadResults, type ReportTarget, writeReport } from './report.ts'
import type { Reporter } from './reporter.ts'

export interface AgentReportOptions {
  /** The agent, by its id. */
  id: string
  /** Sends the report to the agent and returns what it writes. */
  ask(report: unknown): Promise<string>
  target: ReportTarget
}

/** A report that an agent writes. If it fails, the built-in report is written instead, and the run reports that. */
export function agentReporter({ id, ask, target }: AgentReportOptions): Reporter {
  const { events, on, run } = listenToRun()
  let drafted: Promise<string> | undefined
  const write = async (results: ReadResults) => {
    const text = await ask(JSON.parse(await joinParts(jsonReport(run(), results))))
    if (text.trim() === '')
      throw new InfrastructureError('bad_response', 'the agent returned an empty answer')
    return text
  }
  return {
    name: `-r ${id}`,
    events,
    on,
    async draft(ended, results) {
      on(ended)
      drafted = write(results)
      // `finish` reports the error.
      await drafted.catch(() => {})
    },
    async finish(results) {
      try {
        const text = await (drafted ?? write(results))
        // A file gets the text as it is; on a terminal it must not move the cursor.
        const shown = 'stream' in target && isTerminal(target.stream) ? printable(text) : text
        await writeReport(target, [shown.endsWith('\n') ? shown : `${shown}\n`])
      } catch (error) {
        await writeReport(target, jsonReport(run(), results))
        throw new Error(`${errorMessage(error)}; the built-in report was written instead`, { cause: error })
      }
    },
  }
}

function isTerminal(stream: Writable): boolean {
  return (stream as { isTTY?: boolean }).isTTY === true
}

async function joinParts(parts: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const all: string[] = []
  for await (const part of parts) all.push(part)
  return all.join('')
}
