import { errorMessage, InfrastructureError, type InfrastructureErrorKind } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { type Activation, activate, callDepth, isWithinPermit, type Mock } from '../../scope/activation.ts'
import type { Context } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import { canonicalProcessName } from '../../text/process-name.ts'
import type { ScriptRequestHandler } from '../protocol/ask.ts'
import type { ThreadChoice } from '../protocol/protocol.ts'
import type { ScriptCall } from '../protocol/script-call.ts'
import { collectSent } from '../protocol/sent.ts'
import type { SharedState } from '../protocol/state.ts'
import { ScriptCrash, ScriptThrew } from './script-error.ts'
import type { ScriptHost } from './script-host.ts'
import type { ServeRequest } from './served-call.ts'

export interface ScriptRun {
  /** The name in the chain of calls. */
  name: string
  scope: Scope
  /** The signal of the attempt, where it differs from the scope's. */
  signal?: AbortSignal
  /** Receives the events of the call. Default: collects what hooks send to the user. */
  onEvent?: (event: unknown) => void
  /** The thread that runs it. Default: one of its own. */
  thread?: ThreadChoice
  /** Called when the code has blocked its own thread for a while. */
  onBlocked?: (at: string | undefined) => void
  onUnblocked?: () => void
  /** Called when what the code had kept in memory for earlier calls of its session is lost. */
  onMoved?: () => void
  /** Called before the call is run again from its beginning: what it has done so far does not count. */
  onRunAgain?: () => void
}

/**
 * Runs user code on behalf of a case: it may call agents, tools and other scripts, and shares variables with the other
 * scripts of the case.
 */
export async function runScript(scripts: ScriptHost, call: ScriptCall, run: ScriptRun): Promise<unknown> {
  const { name, scope, signal = scope.signal, onEvent = collectSent(scope.context.sent) } = run
  const { onBlocked, onUnblocked, onMoved, onRunAgain } = run
  const nested = isWithinPermit(scope.activation)
  const state = sharedState(scope.context)
  let activation: Activation | undefined
  const attempt = (alone: boolean, thread: ThreadChoice | undefined) => {
    activation = activate(name, scope.activation, { holdsPermit: true })
    return scripts.call(call, {
      signal,
      onLog: (line) => scope.log(line),
      onLateError: (text) => scope.log(`${name}: uncaught error after it had returned: ${text}`),
      onEvent,
      serve: createServe(activation, scope, scripts.surroundings.answering),
      nested,
      depth: callDepth(scope.activation),
      alone,
      ...defined({ thread, onBlocked, onUnblocked, onMoved, onRunAgain }),
      // Waiting for other calls does not count as time of the case.
      wait: (turn) => scope.standStill(() => turn),
      clock: () => scope.clock(),
      refund: (ms) => scope.refund(ms),
      extend: (ms) => scope.extend(ms),
      state: () => state,
    })
  }
  try {
    return await attempt(false, run.thread).catch((error: unknown) => {
      // A process that dies ends all its calls. Each is repeated once, alone where nobody waits for it: the one that dies
      // again is the culprit.
      if (!(error instanceof ScriptCrash) || error.ended !== 'host' || signal.aborted) throw error
      onRunAgain?.()
      return attempt(!nested, run.thread?.kind === 'shared' ? { kind: 'watched' } : run.thread)
    })
  } catch (error) {
    if (error instanceof ScriptCrash && error.crowded)
      throw new InfrastructureError('script_error', error.message, { cause: error })
    throw findInfrastructureError(error, activation?.infrastructureError) ?? error
  }
}

/** An infrastructure error stays one, however many scripts it passed through. */
function findInfrastructureError(
  error: unknown,
  received: InfrastructureError | undefined,
): InfrastructureError | undefined {
  for (let each = error; each instanceof ScriptThrew; each = each.cause) {
    if (each.infrastructure !== undefined)
      return new InfrastructureError(each.infrastructure as InfrastructureErrorKind, errorMessage(error), {
        cause: error,
      })
  }
  if (!(error instanceof ScriptThrew) || received === undefined) return undefined
  return new InfrastructureError(received.kind, `${errorMessage(error)} (after ${received.message})`, {
    cause: error,
  })
}

export function sharedState({ variables, memory }: Context): SharedState {
  return { variables, ...memory }
}

/** Answers the requests of a script, and registers the mocks that it sets. */
export function createServe(
  activation: Activation,
  scope: Scope,
  answering: ScriptRequestHandler,
): ServeRequest {
  return async (ask, { signal, callBack, calledBackBy, callBackAs }) => {
    // Inside a mock, the caller of the mock is the one who asks.
    const asking = (calledBackBy as Activation | undefined) ?? activation
    if (ask.kind === 'next_test') throw new Error('no tests are running')
    if (ask.kind !== 'mock') return answering.answer(ask, scope.within(asking, signal), callBack)
    const mock: Mock = (args, caller) =>
      callBackAs({ name: `mock of ${ask.name}`, caller, mocks: new Map(), mock } satisfies Activation)(
        ask.mock,
        args,
      )
    activation.mocks.set(canonicalProcessName(ask.name), mock)
    return undefined
  }
}
