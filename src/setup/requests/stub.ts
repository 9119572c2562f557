import type { Scope } from '../../scope/scope.ts'
import { isWireContext } from '../../scripts/protocol/context-data.ts'

/** Asks the stub of the case that stands in for a process, if there is one. A `ctx` is no argument of its own. */
export async function askStub(
  name: string,
  args: readonly unknown[],
  scope: Scope,
): Promise<{ answer: unknown } | undefined> {
  const { standIn } = scope.context
  if (!standIn?.replacesProcess(name)) return undefined
  const given = args.filter((arg) => !isWireContext(arg))
  const answer = await standIn.answerProcess(name, given, scope.signal)
  scope.log(`Process ${name}: answered by the case`)
  return { answer }
}
