import { addUsage, type Usage, type UsageByRole } from '../results/usage.ts'
import { buildContext, type Identity } from '../run/identity.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { defaultRetryPolicy } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import type { Tapes } from '../scope/tape.ts'
import { Targets } from '../scope/targets.ts'

export interface Outside {
  /** What it is called in events. */
  id: string
  identity: Identity
  /** Whom it works for; empty where that is nobody. */
  agentId: string
  timeoutMs: number
  signal: AbortSignal
  print?: (line: string) => void
  tapes?: Tapes | undefined
  /** Is given what all calls to models and agents came to, whoever made them, where there were any. */
  spend?: ((usage: Usage) => void) | undefined
}

/** What all work outside of cases has in common. */
export interface OutsideWork {
  identity: Identity
  timeoutMs: number
  signal: AbortSignal
  account: Account
  /** Where the calls of generators and of scripts around the run are kept, or answered from. */
  tapes?: Tapes | undefined
  /** Takes secrets out. */
  hide(text: string): string
}

/** Works with a scope that belongs to no case: around the run, or before there are any. */
export async function outsideCases<T>(outside: Outside, work: (scope: Scope) => Promise<T>): Promise<T> {
  const { id, identity, agentId, timeoutMs, signal, print = () => {}, tapes, spend } = outside
  const key = { file: '', id, variant: '', run: 1, attempt: 1 }
  const tape = tapes?.open(key)
  const context = buildContext(identity, { agentId })
  if (tape !== undefined) context.sessionId = tape.session(context.sessionId)
  const scope = CaseScope.open({
    key,
    tape,
    context,
    timeoutMs,
    signal,
    retry: defaultRetryPolicy,
    targets: new Targets(),
    emit: (event) => {
      if (event.type === 'log') print(event.text)
    },
  })
  try {
    return await work(scope)
  } finally {
    scope.close()
    tape?.close({ isComplete: !signal.aborted })
    const used = Object.values(scope.usage).filter(isOfModels)
    if (used.length > 0) spend?.(used.reduce((total, more) => addUsage(total, more)))
  }
}

/** What generators and reporters have cost so far. */
export interface Account {
  spent(): UsageByRole
  spend(role: 'generator' | 'reporter', usage: Usage): void
}

export function createAccount(): Account {
  const spent: UsageByRole = {}
  return {
    spent: () => ({ ...spent }),
    spend(role, usage) {
      spent[role] = addUsage(spent[role], usage)
    },
  }
}

/** A script that asks nobody uses no tokens, and is not asked for them. */
function isOfModels({ inputTokens, outputTokens, cost, unpricedCalls }: Usage): boolean {
  return [inputTokens, outputTokens, cost, unpricedCalls].some((count) => count !== undefined)
}
