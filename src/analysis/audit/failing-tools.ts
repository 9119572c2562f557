import type { Agent, TurnRequest } from '../../agents/agent.ts'
import { type Key, keyText } from '../../results/key.ts'
import type { StandIn } from '../../scope/context.ts'
import { canonicalProcessName } from '../../text/process-name.ts'
import { ToolError } from '../../tools/tool.ts'

/** An agent whose tools fail, and the tools that it has called. */
export interface FailingTools {
  agent: Agent
  /** The tools that failed in a play, without duplicates. If there are none, a pass says nothing. */
  failedIn(key: Key): string[]
}

/** The tools fail for every caller: the model, hooks, other agents. Stubs of the case fail as well. */
export function withFailingTools(agent: Agent): FailingTools {
  const failed = new Map<string, Set<string>>()
  const note = (key: Key, tool: string) => {
    const own = failed.get(keyText(key)) ?? new Set()
    failed.set(keyText(key), own.add(tool))
  }
  return {
    failedIn: (key) => [...(failed.get(keyText(key)) ?? [])],
    agent: {
      ...agent,
      async open(opening) {
        const session = await agent.open(opening)
        return {
          send({ stubs, ...request }, scope) {
            const standIn = createFailingStandIn(stubs, (tool) => note(scope.key, tool))
            return session.send(request, scope.child(scope.role, undefined, { ...scope.context, standIn }))
          },
          close: async () => session.close?.(),
        }
      },
    },
  }
}

/** Processes are code of the app: only those that the case stubs fail, because they stand in for something outside. */
function createFailingStandIn(stubs: TurnRequest['stubs'] = [], note: (tool: string) => void): StandIn {
  const stubbed = new Set(stubs.flatMap((layer) => Object.keys(layer)).map(canonicalProcessName))
  const fail = (tool: string): never => {
    note(tool)
    throw new ToolError(`${tool} failed: the service is not available`)
  }
  return {
    replaces: () => true,
    answer: async (tool) => fail(tool),
    replacesProcess: (name) => stubbed.has(name),
    answerProcess: async (name) => fail(name),
    refuse: fail,
    sparesOwnCalls: true,
  }
}
