import { InfrastructureError } from '../../errors.ts'
import type { AnyScriptRequest, CallBack } from '../protocol/ask.ts'
import { toJson } from '../protocol/json.ts'
import type { CallOutcome, ThrewFailure } from '../protocol/protocol.ts'
import { type SharedState, type StateChanges, StateView } from '../protocol/state.ts'
import { describeThrown } from '../protocol/thrown.ts'
import type { HostCall } from './host-process.ts'
import type { AskMessage, CallbackDoneMessage, RequestListener } from './pending-call.ts'
import { ScriptThrew, toScriptError } from './script-error.ts'

/** Answers a question of a script. */
export type ServeRequest = (ask: AnyScriptRequest, asking: AskContext) => Promise<unknown>

export interface AskContext {
  /** Aborted when the script has ended, however it did. */
  signal: AbortSignal
  callBack: CallBack
  /** For a request from inside a callback: the `by` of that callback. */
  calledBackBy: unknown
  /** Calls a function of the script; requests that it makes carry `by`. */
  callBackAs(by: unknown): CallBack
}

const scriptEnded = { kind: 'crash' as const, ended: 'worker' as const, message: 'the script has ended' }
const answerRules = { whole: 'the answer', rule: 'only JSON data can be passed to a script' }

/** The runner's side of one call: it passes requests on, and ends everything that they began when the call ends. */
export class ServedCall implements RequestListener {
  readonly #serve: ServeRequest
  readonly #sharedBy: () => SharedState | undefined
  #state: StateView | undefined
  readonly #over = new AbortController()
  readonly #callbacks = new Map<number, { by: unknown; settle(outcome: CallOutcome): void }>()
  #running: HostCall | undefined
  #lastCallback = 0

  constructor(serve: ServeRequest, sharedBy: () => SharedState | undefined) {
    this.#serve = serve
    this.#sharedBy = sharedBy
    // Creates the view now, so that later changes made elsewhere are recognized.
    this.#shared()
  }

  /** Called before the first message of the call arrives. */
  begin(running: HostCall): void {
    this.#running = running
  }

  end(): void {
    this.#over.abort(new Error(scriptEnded.message))
    for (const { settle } of this.#callbacks.values()) settle({ ok: false, failure: scriptEnded })
  }

  changed(changes: StateChanges | undefined): void {
    this.#shared()?.apply(changes)
  }

  /** One call may run several tests, which share no state with each other. */
  #shared(): StateView | undefined {
    const state = this.#sharedBy()
    if (state !== this.#state?.data) this.#state = state === undefined ? undefined : new StateView(state)
    return this.#state
  }

  ask(message: AskMessage): void {
    this.changed(message.changes)
    const by = message.callback === undefined ? undefined : this.#callbacks.get(message.callback)?.by
    const asking: AskContext = {
      signal: this.#over.signal,
      callBack: this.#callBackAs(by),
      calledBackBy: by,
      callBackAs: (caller) => this.#callBackAs(caller),
    }
    void this.#answer(JSON.parse(message.payload) as AnyScriptRequest, asking).then((outcome) =>
      this.#tell(message.ask, outcome),
    )
  }

  /** Whatever is wrong with the answer, there is one: a worker stands still until it has it. */
  #tell(ask: number, outcome: CallOutcome): void {
    try {
      this.#running?.answer(ask, outcome, this.#shared()?.changes())
    } catch (error) {
      this.#running?.answer(ask, { ok: false, failure: describeForScript(error) }, undefined)
    }
  }

  async #answer(ask: AnyScriptRequest, asking: AskContext): Promise<CallOutcome> {
    try {
      return { ok: true, json: toJson(await this.#serve(ask, asking), answerRules) }
    } catch (error) {
      return { ok: false, failure: describeForScript(error) }
    }
  }

  #callBackAs(by: unknown): CallBack {
    return async ({ fn }, args) => {
      this.#lastCallback += 1
      const callback = this.#lastCallback
      const outcome = await new Promise<CallOutcome>((settle) => {
        if (this.#over.signal.aborted) return settle({ ok: false, failure: scriptEnded })
        this.#callbacks.set(callback, { by, settle })
        this.#running?.callBack(callback, fn, toJson(args, answerRules) ?? '[]', this.#shared()?.changes())
      }).finally(() => this.#callbacks.delete(callback))
      if (!outcome.ok) throw toScriptError(outcome.failure)
      return outcome.json === undefined ? undefined : JSON.parse(outcome.json)
    }
  }

  callbackDone({ callback, outcome, changes }: CallbackDoneMessage): void {
    this.changed(changes)
    this.#callbacks.get(callback)?.settle(outcome)
  }
}

/** Describes an error for the script that asked; an infrastructure error stays recognizable. */
function describeForScript(error: unknown): ThrewFailure {
  const { name, message, stack } = describeThrown(error)
  const infrastructure = readInfrastructureKind(error)
  const errorName = error instanceof ScriptThrew ? error.errorName : plainName(name)
  return { kind: 'threw', name: errorName, message, stack, ...(infrastructure && { infrastructure }) }
}

function readInfrastructureKind(error: unknown): string | undefined {
  if (error instanceof InfrastructureError) return error.kind
  // A callback of the script had received it.
  return error instanceof ScriptThrew ? error.infrastructure : undefined
}

/** The names of our own classes mean nothing to the user. */
function plainName(name: string): string {
  return /^(?:Script|Infrastructure|Agent|Config|Timeout)/.test(name) ? 'Error' : name
}
