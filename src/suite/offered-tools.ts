import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scope } from '../scope/scope.ts'
import type { CallOutcome } from '../scripts/protocol/protocol.ts'
import type { ToolCaller, ToolDecision } from '../scripts/worker/calls/wrap-tools.ts'
import { callWrappedTool } from '../setup/requests/wrapped-tool.ts'

/** One attempt of an agent at a turn: it calls the tools that it offers in this process, where viva decides about each call. */
export interface OfferingTurn {
  caller: ToolCaller
  /** What is called from now on belongs to no turn. */
  end(): void
}

export function beginOffering(scope: Scope, report: (event: object) => void): OfferingTurn {
  let ended = false
  let undecided = 0
  const decide = async (request: ToolRequest) => {
    undecided += 1
    return decideCall(request, scope).finally(() => {
      undecided -= 1
    })
  }
  return {
    caller: {
      hasEnded: () => ended,
      report,
      print: (text) => scope.log(text.trimEnd()),
      askForTool: decide,
      async beginTools() {
        // Deciding takes only microtasks: they are over by then, as they are before the runner answers a later request.
        if (undecided > 0) await nextTurn()
      },
    },
    end() {
      ended = true
    },
  }
}

type ToolRequest = Parameters<ToolCaller['askForTool']>[0]

/** The tool itself runs where it was called; its outcome goes back, as what it was called for may be recorded. */
function decideCall(request: ToolRequest, scope: Scope): Promise<ToolDecision> {
  return new Promise((decide, refuse) => {
    const runOwn = () =>
      new Promise<unknown>((resolve, reject) => {
        const end = (outcome: CallOutcome) => {
          if (!outcome.ok) reject(new Error(outcome.failure.message))
          else resolve(outcome.json === undefined ? undefined : JSON.parse(outcome.json))
          return over
        }
        decide({ isOwn: true, end })
      })
    const asked = { kind: 'wrapped_tool' as const, ...request, run: { fn: 0 } }
    const over = callWrappedTool(asked, scope, runOwn).then(
      (result) => decide({ isOwn: false, result }),
      refuse,
    )
  })
}
