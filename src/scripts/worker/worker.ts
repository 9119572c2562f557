/** The entry of a worker thread: user code runs here and nowhere else, in a shared worker many calls at once. */
import nodeModule from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { parse } from '../../json/equal/untouched.ts'
import { beatsName } from '../../scope/awake-clock.ts'
import { captureOutput, limitOutput } from '../protocol/output.ts'
import type { AbortReason, CallOutcome, RunnerMessage } from '../protocol/protocol.ts'
import type { CallPayload } from '../protocol/script-call.ts'
import { type SharedState, StateView } from '../protocol/state.ts'
import { describeThrown } from '../protocol/thrown.ts'
import type { WorkerStart } from '../protocol/worker-start.ts'
import { Bridge } from './bridge.ts'
import { restoreInstalled, watchBuiltins } from './builtins.ts'
import { CallCrash, createDisplacement } from './call-crash.ts'
import { perform } from './calls/perform.ts'
import { installHelpers } from './compiled-helpers.ts'
import { containExit } from './exit.ts'
import { installGlobals } from './globals.ts'
import { createModuleHooks } from './hooks.ts'
import { HostedModules } from './hosted-modules.ts'
import { installInternalHooks } from './internal-hooks.ts'
import { LoadError } from './load.ts'
import { Pulse } from './pulse.ts'
import { callsInFlight, enterCall, leaveCall, owner, owningCall, type RunningCall } from './running-call.ts'

const { port, doorbell, beats, hostBeats, shared, moduleLine } = takeWorkerData()
Object.defineProperty(globalThis, beatsName, { value: hostBeats })
const pulse = new Pulse(beats)
const bridge = new Bridge(port, doorbell, (message) => {
  if (message.type === 'call') void run(message.id, message.payload)
  else if (message.type === 'abort') abort(message.id, message.reason)
})
let spoiled = false

/** Removed from `workerData`, where user code could find it and send messages in our name. */
function takeWorkerData(): WorkerStart {
  const data = workerData as Partial<WorkerStart>
  if (!isComplete(data)) throw new Error('script-worker is started by script-host only')
  const taken = { ...data }
  for (const key of Object.keys(data)) Reflect.deleteProperty(data, key)
  return taken
}

function isComplete(data: Partial<WorkerStart>): data is WorkerStart {
  return ['port', 'doorbell', 'beats', 'hostBeats', 'shared', 'moduleLine'].every((key) => key in data)
}

/** How many late errors of one call are reported: a timer may throw again and again. */
const maxLateErrors = 10
let started = false
/** Whether built-ins have changed since the user's code was loaded, which may well bring its own. */
let builtinsChanged = () => false

async function run(id: number, payload: string): Promise<void> {
  if (!started) bridge.send({ type: 'begun', id })
  started = true
  pulse.beat()
  pulse.start()
  const { call, state } = parse(payload) as CallPayload
  let settle: (outcome: CallOutcome) => void = () => {}
  const ended = new Promise<CallOutcome>((resolve) => {
    settle = resolve
  })
  const running = createRunningCall(id, call.file, state, settle)
  enterCall(running)
  void owner.run(running, () => answer(call, running, settle))
  finish(running, await ended)
}

function createRunningCall(
  id: number,
  file: string,
  state: SharedState | undefined,
  settle: (outcome: CallOutcome) => void,
): RunningCall {
  const allowance = () => limitOutput((text) => bridge.send({ type: 'log', id, text }))
  const running: RunningCall = {
    id,
    file,
    controller: new AbortController(),
    state: state === undefined ? undefined : new StateView(state),
    tellLoading(isLoading) {
      // Built-ins replaced before another module is loaded count; those that the module brings do not.
      if (isLoading) spoiled ||= builtinsChanged()
      else builtinsChanged = watchBuiltins({ withInstalled: shared })
      bridge.send({ type: isLoading ? 'loading' : 'loaded', id })
    },
    report: (event) => bridge.send({ type: 'event', id, event }),
    fail: (error) => settle({ ok: false, failure: toFailure(error) }),
    print: allowance(),
    renewAllowance() {
      running.print = allowance()
    },
    ...(shared && { checkMayBlock: () => displaceBlocking(running) }),
  }
  return running
}

/** Waiting for an answer here would stop all other calls, one of which may be needed to answer. */
function displaceBlocking(call: RunningCall): never {
  const displacement = createDisplacement('it blocks its thread, so it needs one of its own', {
    blocks: true,
  })
  call.fail(displacement)
  throw displacement
}

/** Awaits, because another call may have replaced `then`. */
async function answer(
  call: CallPayload['call'],
  running: RunningCall,
  settle: (outcome: CallOutcome) => void,
): Promise<void> {
  try {
    const json = await perform(call, running.controller.signal, bridge)
    // Node reports an unhandled rejection one turn later; it still belongs to this call.
    await nextTurn()
    settle({ ok: true, json })
  } catch (error) {
    running.fail(error)
  }
}

function finish(call: RunningCall, outcome: CallOutcome): void {
  const result = withChanges(outcome, call.state)
  // In a shared worker, another call may have changed them and still need them.
  if (!shared) restoreGlobals(call)
  // The next call must not run in a worker in which, for example, promises no longer work.
  if (builtinsChanged()) spoiled = true
  leaveCall(call)
  bridge.endCall(call)
  if (callsInFlight().size === 0) {
    pulse.stop()
    bridge.forgetCall()
  }
  bridge.send({ type: 'done', id: call.id, ...result, spoiled })
}

function restoreGlobals(call: RunningCall): void {
  const changed = restoreInstalled()
  if (changed.length === 0) return
  call.print(`it changed ${changed.join(', ')}, which was restored\n`)
  // Some of it was made impossible to restore: no other call may find it here.
  if (restoreInstalled().length > 0) spoiled = true
}

/** The shared variables may contain values that are not data. A call that is run again has changed nothing. */
function withChanges(outcome: CallOutcome, state: StateView | undefined) {
  if (!outcome.ok && outcome.failure.kind === 'crash' && outcome.failure.ended === 'shared')
    return { outcome }
  try {
    return { outcome, changes: state?.changes() }
  } catch (error) {
    return { outcome: { ok: false as const, failure: toFailure(error) } }
  }
}

function toFailure(error: unknown) {
  return error instanceof LoadError || error instanceof CallCrash ? error.failure : describeThrown(error)
}

/**
 * An error that nobody awaits fails its call; if that has ended, it is reported as late. If it is not known whose it is, all
 * calls in flight are run again, each in a worker of its own. This worker is not used again.
 */
function onStrayError(error: unknown): void {
  // It was thrown to unwind a call whose end is already reported.
  if (error instanceof CallCrash) return
  const culprit = owningCall()
  if (culprit !== undefined) blame(culprit, error)
  else
    for (const call of [...callsInFlight().values()])
      call.fail(createDisplacement(describeThrown(error).message))
  spoil()
}

function blame(call: RunningCall, error: unknown): void {
  if (call.ended) reportLate(call, error)
  else call.fail(error)
}

/** The last message that the host may wait for: an idle worker is terminated at once. */
function spoil(): void {
  spoiled = true
  bridge.send({ type: 'spoiled' })
}

function reportLate(call: RunningCall, error: unknown): void {
  call.lateErrors = (call.lateErrors ?? 0) + 1
  if (call.lateErrors > maxLateErrors) return
  bridge.send({ type: 'late_error', id: call.id, text: describeThrown(error).stack })
}

function abort(id: number, reason: AbortReason): void {
  callsInFlight()
    .get(id)
    ?.controller.abort(Object.assign(new Error(reason.message), { name: reason.name }))
}

/** In this thread where Node allows it: another thread for the hooks would double the cost of this one. */
function installHooks(): void {
  const hooks = createModuleHooks(new HostedModules(moduleLine))
  if ('registerHooks' in nodeModule && typeof nodeModule.registerHooks === 'function')
    nodeModule.registerHooks(hooks)
  else if (!installInternalHooks(hooks)) nodeModule.register(new URL('./script-hooks.js', import.meta.url))
}

/** Makes every stack show the lines of the TypeScript, including those that user code prints. */
function mapStacks(): void {
  if ('setSourceMapsSupport' in nodeModule && typeof nodeModule.setSourceMapsSupport === 'function') {
    // Packages bring large source maps that nobody reads.
    nodeModule.setSourceMapsSupport(true, { nodeModules: false })
  } else {
    process.setSourceMapsEnabled(true)
  }
}

captureOutput((text) => owningCall()?.print(text))
process.on('uncaughtException', onStrayError)
process.on('unhandledRejection', onStrayError)
if (shared)
  containExit(owningCall, (call, crash) => {
    blame(call, crash)
    spoil()
  })
mapStacks()
installHelpers()
installGlobals(bridge)
installHooks()
port.on('message', (message: RunnerMessage) => bridge.receive(message))
