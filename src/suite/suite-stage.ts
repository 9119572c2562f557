import type { Agent } from '../agents/agent.ts'
import { InterruptedError } from '../errors.ts'
import type { Stage } from '../run/stage.ts'
import { awakeClock } from '../scope/awake-clock.ts'
import { defaultRetryPolicy } from '../scope/retry.ts'

/** What the cases of a suite are played with, wherever that is. */
export function suiteStage(
  agents: ReadonlyMap<string, Agent>,
  timeoutMs: number,
): Omit<Stage, 'emit' | 'source' | 'targets'> {
  awakeClock.expectUserCode()
  return {
    agents,
    identity: { file: {} },
    timeoutMs,
    testTimeoutMs: timeoutMs,
    requireChecks: false,
    retry: defaultRetryPolicy,
  }
}

/** The caller's signal, as the engine understands it: a stop, and no failure of anybody. */
export function followSignal(given: AbortSignal | undefined): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const follow = () => controller.abort(new InterruptedError('stopped by its signal'))
  if (given?.aborted) follow()
  else given?.addEventListener('abort', follow, { once: true })
  return { signal: controller.signal, release: () => given?.removeEventListener('abort', follow) }
}
