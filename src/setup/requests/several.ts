import { AgentError, errorMessage, InfrastructureError } from '../../errors.ts'
import type { Activation } from '../../scope/activation.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Until } from '../../scripts/protocol/ask.ts'
import { ToolError } from '../../tools/tool.ts'

/** What one of several came to, in the words of scripts: an error is data, so that the others count. */
export type Settled = Record<string, unknown> & { error?: string }

/**
 * Asks several at once, until all have answered, one has answered well, or one has answered at all. Those that are
 * not waited for are stopped. Only an agent, a tool or the infrastructure may fail: what is wrong with the question is thrown.
 */
export async function askSeveral<T>(
  requests: readonly T[],
  until: Until,
  scope: Scope,
  asking: {
    /** Whom the answer is from. */
    label(request: T): Record<string, unknown>
    ask(request: T, index: number, scope: Scope): Promise<Record<string, unknown>>
  },
): Promise<Settled[]> {
  const over = new AbortController()
  const own = scope.activation === undefined ? scope : scope.within(scope.activation, over.signal)
  const answers = new Map<number, Settled>()
  const asked = requests.map(async (request, index) => {
    const answer = await asking
      .ask(request, index, own)
      .catch((error: unknown) => asData(error, scope.activation))
    const settled = { ...asking.label(request), ...answer }
    if (!over.signal.aborted) answers.set(index, settled)
    return settled
  })
  try {
    if (until === 'all') return await Promise.all(asked)
    if (requests.length > 0) await Promise.race([decided(asked, until), Promise.all(asked)])
    return [...answers.values()]
  } finally {
    over.abort(new Error('another one was first'))
    for (const each of asked) each.catch(() => {})
  }
}

/** When it is clear that no more need be waited for. */
function decided(asked: readonly Promise<Settled>[], until: 'any' | 'race'): Promise<unknown> {
  if (until === 'race') return Promise.race(asked)
  return new Promise((resolve, reject) => {
    for (const each of asked) each.then((settled) => settled.error === undefined && resolve(settled), reject)
  })
}

function asData(error: unknown, asker: Activation | undefined): Settled {
  const isData =
    error instanceof AgentError ||
    error instanceof ToolError ||
    // Scripts that call each other without end must come to one.
    (error instanceof InfrastructureError && error.kind !== 'too_deep')
  if (asker !== undefined && error instanceof InfrastructureError) asker.infrastructureError ??= error
  if (isData) return { error: errorMessage(error) }
  throw error
}
