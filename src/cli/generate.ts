import { contextFor, type Identity } from '../schedule/identity.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { defaultRetryPolicy } from '../scope/retry.ts'
import type { Data } from '../transcript/message.ts'
import type { ScriptCalls } from './case-scripts.ts'

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
    const scope = CaseScope.open({
      key: { file: '', id: reference, variant: '', run: 1, attempt: 1 },
      context: contextFor(identity, { agentId }),
      timeoutMs,
      signal,
      retry: defaultRetryPolicy,
      emit: () => {},
    })
    try {
      return await callScript(reference, (ctx) => [told, ctx], scope.child('generator'))
    } finally {
      scope.close()
    }
  }
}
