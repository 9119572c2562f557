import { findMock } from '../../scope/activation.ts'
import type { Scope } from '../../scope/scope.ts'

/** Asks the mock that stands in for a process, if there is one. Whoever has stopped waiting gets no answer from it. */
export async function askMock(
  name: string,
  args: unknown[],
  scope: Scope,
): Promise<{ answer: unknown } | undefined> {
  const mock = findMock(name, scope.activation)
  if (mock === undefined || scope.activation === undefined) return undefined
  scope.stop.throwIfAborted()
  return { answer: await mock(args, scope.activation) }
}
