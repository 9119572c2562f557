import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { now, parse } from '../../json/equal/untouched.ts'
import type { AnyScriptRequest, CallbackRef, ScriptRequest } from '../protocol/ask.ts'
import { toJson } from '../protocol/json.ts'
import type { CallOutcome, RunnerMessage, ThrewFailure, WorkerMessage } from '../protocol/protocol.ts'
import type { StateChanges } from '../protocol/state.ts'
import { describeThrown } from '../protocol/thrown.ts'
import type { ToolCaller, ToolDecision } from './calls/wrap-tools.ts'
import { restoreException } from './globals/exception.ts'
import { isThenable } from './is-function.ts'
import { callsInFlight, type RunningCall, requestingCall } from './running-call.ts'

type AnswerMessage = Extract<RunnerMessage, { type: 'answer' }>
type CallbackMessage = Extract<RunnerMessage, { type: 'callback' }>

/** A request that does not block the thread: a wrapped tool is called, or the agent has answered. */
interface PendingTool {
  call: RunningCall
  /** The tool itself is running. */
  hasBegun: boolean
  decide(decision: ToolDecision): void
  refuse(error: unknown): void
  /** The answer to the request has come. */
  settle(): void
  settled: Promise<void>
}

const askRules = { whole: 'the call', rule: 'only JSON data can be passed on' }
const callbackRules = { whole: 'the result', rule: 'a mock must return JSON data' }

/**
 * The worker's side of the bridge. A request blocks the thread until the runner has answered it; meanwhile only callbacks
 * that the script itself has passed on are run, in this thread. Calls of wrapped tools do not block it.
 */
export class Bridge {
  readonly #port: MessagePort
  /** Rung by the host after every message. */
  readonly #doorbell: Int32Array
  /** Handles messages that do not concern the bridge. */
  readonly #receiveOther: (message: RunnerMessage) => void
  /** By request: while an inner one waits, the answer to an outer one may arrive. */
  readonly #answers = new Map<number, AnswerMessage>()
  readonly #functions = new Map<number, (...args: unknown[]) => unknown>()
  /** By request, and by the reference to their function. */
  readonly #tools = new Map<number, PendingTool>()
  /** The innermost is last. */
  readonly #callbacksAtWork: number[] = []
  #lastId = 0

  constructor(port: MessagePort, doorbell: Int32Array, receiveOther: (message: RunnerMessage) => void) {
    this.#port = port
    this.#doorbell = doorbell
    this.#receiveOther = receiveOther
  }

  /** Throws the runner's error, and the reason of an aborted call. */
  ask(ask: AnyScriptRequest): unknown {
    const call = blockingCall()
    call.controller.signal.throwIfAborted()
    const id = this.#nextId()
    this.#sendAsk(id, ask, call)
    return readAnswer(
      this.#waitUntil(() => this.#takeAnswer(id), call),
      call,
    )
  }

  /** The call as the tools that it offers see it. */
  toolCaller(call: RunningCall): ToolCaller {
    return {
      hasEnded: () => call.ended === true,
      report: (event) => call.report(event),
      print: (text) => call.print(text),
      askForTool: (request) =>
        this.#askWithoutBlocking((fn) => ({ kind: 'wrapped_tool', ...request, run: { fn } }), call),
      beginTools: () => this.#beginTools(call),
    }
  }

  async #beginTools(call: RunningCall): Promise<void> {
    const waiting = [...this.#tools.values()].some((tool) => tool.call === call && !tool.hasBegun)
    if (waiting) await this.#askWithoutBlocking(() => ({ kind: 'begin_tools' }), call)
  }

  /** Many calls may be running in the thread. `create` receives the id of the request, by which the runner calls the tool. */
  #askWithoutBlocking(create: (id: number) => ScriptRequest, call: RunningCall): Promise<ToolDecision> {
    call.controller.signal.throwIfAborted()
    const id = this.#nextId()
    return new Promise((decide, refuse) => {
      let settle = () => {}
      const settled = new Promise<void>((resolve) => {
        settle = resolve
      })
      this.#tools.set(id, { call, hasBegun: false, decide, refuse, settle, settled })
      try {
        this.#sendAsk(id, create(id), call)
      } catch (error) {
        this.#tools.delete(id)
        refuse(error)
      }
    })
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  #sendAsk(id: number, ask: AnyScriptRequest, call: RunningCall): void {
    this.send({
      type: 'ask',
      id: call.id,
      ask: id,
      payload: toJson(ask, askRules) ?? '',
      callback: this.#callbacksAtWork.at(-1),
      // These requests are made between tests, when there is no state.
      changes: ask.kind === 'next_test' || ask.kind === 'mock' ? undefined : call.state?.changes(),
    })
  }

  /** Blocks the thread for this long, unless its call is aborted meanwhile. */
  sleep(milliseconds: number): void {
    const end = now() + milliseconds
    this.#waitUntil(
      () => (now() >= end ? true : undefined),
      blockingCall(),
      () => Math.max(0, end - now()),
    )
  }

  /** Makes a function of this worker callable for the runner, until the call ends. */
  refer(fn: (...args: unknown[]) => unknown): CallbackRef {
    const id = this.#nextId()
    this.#functions.set(id, fn)
    return { fn: id }
  }

  send(message: WorkerMessage): void {
    this.#port.postMessage(message)
  }

  receive(message: RunnerMessage): void {
    if (message.type === 'answer') this.#receiveAnswer(message)
    else if (message.type === 'callback') this.#callBack(message)
    else this.#receiveOther(message)
  }

  /** The runner answers no more requests of a call that has ended. A tool that is still running may come to its end. */
  endCall(call: RunningCall): void {
    for (const [id, tool] of this.#tools) {
      if (tool.call !== call) continue
      tool.settle()
      this.#tools.delete(id)
    }
  }

  /** What a call has left behind must not reach another one. */
  forgetCall(): void {
    this.#answers.clear()
    this.#functions.clear()
  }

  #receiveAnswer(message: AnswerMessage): void {
    const tool = this.#tools.get(message.ask)
    if (tool === undefined) {
      this.#answers.set(message.ask, message)
      return
    }
    this.#tools.delete(message.ask)
    tool.settle()
    // A tool that has run itself has decided already.
    try {
      tool.decide({ isOwn: false, result: readAnswer(message, tool.call) })
    } catch (error) {
      tool.refuse(error)
    }
  }

  #takeAnswer(id: number): AnswerMessage | undefined {
    const answer = this.#answers.get(id)
    this.#answers.delete(id)
    return answer
  }

  /** Receives messages until what it waits for has arrived. */
  #waitUntil<T>(
    look: () => T | undefined,
    { controller: { signal } }: RunningCall,
    milliseconds: () => number = () => Number.POSITIVE_INFINITY,
  ): T {
    for (;;) {
      const rings = Atomics.load(this.#doorbell, 0)
      const next = receiveMessageOnPort(this.#port)
      if (next !== undefined) this.receive(next.message as RunnerMessage)
      const found = look()
      if (found !== undefined) return found
      signal.throwIfAborted()
      if (next === undefined) Atomics.wait(this.#doorbell, 0, rings, milliseconds())
    }
  }

  #callBack({ id, callback, fn, payload, changes }: CallbackMessage): void {
    const call = callsInFlight().get(id)
    if (call === undefined) return
    call.state?.apply(changes)
    const tool = this.#tools.get(fn)
    if (tool !== undefined) {
      const end = (outcome: CallOutcome) => {
        this.send({ type: 'callback_done', id, callback, outcome, changes: call.state?.changes() })
        return tool.settled
      }
      tool.hasBegun = true
      tool.decide({ isOwn: true, end })
      return
    }
    this.#callbacksAtWork.push(callback)
    const done = this.#runCallback(fn, payload, call)
    this.#callbacksAtWork.pop()
    this.send({ type: 'callback_done', id, callback, ...done })
  }

  #runCallback(
    fn: number,
    payload: string,
    { state }: RunningCall,
  ): { outcome: CallOutcome; changes?: StateChanges | undefined } {
    try {
      const callee = this.#functions.get(fn)
      if (callee === undefined) throw new Error('the test that this function belongs to has ended')
      const result = callee(...(parse(payload) as unknown[]))
      if (isThenable(result)) {
        result.then(undefined, () => {})
        throw new Error('an async function cannot answer here: the caller is blocked until it returns')
      }
      return { outcome: { ok: true, json: toJson(result, callbackRules) }, changes: state?.changes() }
    } catch (error) {
      return { outcome: { ok: false, failure: describeThrown(error) } }
    }
  }
}

/** The call that is about to block this thread. */
function blockingCall(): RunningCall {
  const call = requestingCall()
  call.checkMayBlock?.()
  return call
}

function readAnswer({ outcome, changes }: AnswerMessage, { state }: RunningCall): unknown {
  state?.apply(changes)
  if (!outcome.ok) throw createRunnerError(outcome.failure as ThrewFailure)
  return outcome.json === undefined ? undefined : parse(outcome.json)
}

/** The runner's error, thrown where the script asked. */
function createRunnerError({ name, message, infrastructure }: ThrewFailure): Error {
  const error = restoreException(name, message) ?? Object.assign(new Error(message), { name })
  return infrastructure === undefined ? error : Object.assign(error, { vivaInfrastructure: infrastructure })
}
