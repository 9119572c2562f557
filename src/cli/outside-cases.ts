import { contextFor, type Identity } from '../schedule/identity.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { defaultRetryPolicy } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'

export interface Outside {
  /** What it is called in events. */
  id: string
  identity: Identity
  /** Whom it works for; empty where that is nobody. */
  agentId: string
  timeoutMs: number
  signal: AbortSignal
  print?: (line: string) => void
}

/** Works with a scope that belongs to no case: around the run, or before there are any. */
export async function outsideCases<T>(outside: Outside, work: (scope: Scope) => Promise<T>): Promise<T> {
  const { id, identity, agentId, timeoutMs, signal, print = () => {} } = outside
  const scope = CaseScope.open({
    key: { file: '', id, variant: '', run: 1, attempt: 1 },
    context: contextFor(identity, { agentId }),
    timeoutMs,
    signal,
    retry: defaultRetryPolicy,
    emit: (event) => {
      if (event.type === 'log') print(event.text)
    },
  })
  try {
    return await work(scope)
  } finally {
    scope.close()
  }
}
