import type { Identity } from '../schedule/identity.ts'
import type { Data } from '../transcript/message.ts'
import type { ScriptCalls } from './case-scripts.ts'
import { outsideCases } from './script-outside-cases.ts'

interface Generating {
  identity: Identity
  /** Whom the cases are for. */
  agentId: string
  timeoutMs: number
  signal?: AbortSignal
}

/** What a generator is told when the user says nothing else. */
const defaults = { count: 10, focus: 'happy-path', complexity: 'medium' }

/** `-i scripts:tests.generate?count=5`: a function `(params, ctx)` that gives cases. */
export function createGenerate({ scriptProblem, callScript }: ScriptCalls, generating: Generating) {
  const { identity, agentId, timeoutMs, signal = new AbortController().signal } = generating
  return async (reference: string, params: Data): Promise<unknown> => {
    const problem = scriptProblem(reference)
    if (problem !== undefined) throw new Error(problem)
    const told = { test_mode: 'generator', target_agent: agentId, ...defaults, ...params }
    return outsideCases({ id: reference, identity, agentId, timeoutMs, signal }, (scope) =>
      callScript(reference, (ctx) => [told, ctx], scope.child('generator')),
    )
  }
}
