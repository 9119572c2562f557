/** The entry of a worker thread: user code runs here and nowhere else, one call at a time. */
import nodeModule from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MessagePort, workerData } from 'node:worker_threads'
import { parse } from '../../json/equal/untouched.ts'
import { captureOutput, limitOutput } from '../protocol/output.ts'
import type { AbortReason, CallOutcome, RunnerMessage } from '../protocol/protocol.ts'
import type { CallPayload } from '../protocol/script-call.ts'
import { StateView } from '../protocol/state.ts'
import { describeThrown } from '../protocol/thrown.ts'
import { Bridge } from './bridge.ts'
import { restoreInstalled, watchBuiltins } from './builtins.ts'
import { perform } from './calls/perform.ts'
import { installHelpers } from './compiled-helpers.ts'
import { installGlobals } from './globals.ts'
import { LoadError } from './load.ts'
import { currentCall, owner, owningCall, type RunningCall, setCurrentCall } from './running-call.ts'

const { port, doorbell } = takeWorkerData()
const bridge = new Bridge(port, doorbell, (message) => {
  if (message.type === 'call') void run(message.id, message.payload)
  else if (message.type === 'abort') abort(message.id, message.reason)
})
let spoiled = false

/** Removed from `workerData`, where user code could find it and send messages in our name. */
function takeWorkerData(): { port: MessagePort; doorbell: Int32Array } {
  const data = workerData as { port?: MessagePort; doorbell?: Int32Array }
  const { port, doorbell } = data
  if (port === undefined || doorbell === undefined)
    throw new Error('script-worker is started by script-host only')
  delete data.port
  delete data.doorbell
  return { port, doorbell }
}

/** How many late errors of one call are reported: a timer may throw again and again. */
const maxLateErrors = 10
let started = false
/** Whether built-ins have changed since the user's code was loaded, which may well bring its own. */
let builtinsChanged = () => false

async function run(id: number, payload: string): Promise<void> {
  if (!started) bridge.send({ type: 'begun', id })
  started = true
  const { call, state: shared } = parse(payload) as CallPayload
  const controller = new AbortController()
  const state = shared === undefined ? undefined : new StateView(shared)
  const outcome = await new Promise<CallOutcome>((settle) => {
    const fail = (error: unknown) => settle({ ok: false, failure: toFailure(error) })
    const report = (event: object) => bridge.send({ type: 'event', id, event })
    const allowance = () => limitOutput((text) => bridge.send({ type: 'log', id, text }))
    const running: RunningCall = {
      id,
      file: call.file,
      controller,
      state,
      tellLoading(isLoading) {
        // Built-ins replaced before another module is loaded count; those that the module brings do not.
        if (isLoading) spoiled ||= builtinsChanged()
        else builtinsChanged = watchBuiltins()
        bridge.send({ type: isLoading ? 'loading' : 'loaded', id })
      },
      report,
      fail,
      print: allowance(),
      renewAllowance() {
        running.print = allowance()
      },
    }
    setCurrentCall(running)
    owner.run(running, () => answer(call, controller.signal).then(settle, fail))
  })
  finish(id, outcome, state)
}

async function answer(call: CallPayload['call'], signal: AbortSignal): Promise<CallOutcome> {
  const json = await perform(call, signal, bridge)
  // Node reports an unhandled rejection one turn later; it still belongs to this call.
  await nextTurn()
  return { ok: true, json }
}

function finish(id: number, outcome: CallOutcome, state: StateView | undefined): void {
  const result = withChanges(outcome, state)
  restoreGlobals()
  // The next call must not run in a worker in which, for example, promises no longer work.
  if (builtinsChanged()) spoiled = true
  setCurrentCall(undefined)
  bridge.forgetCall()
  bridge.send({ type: 'done', id, ...result, spoiled })
}

function restoreGlobals(): void {
  const changed = restoreInstalled()
  if (changed.length === 0) return
  currentCall()?.print(`it changed ${changed.join(', ')}, which was restored\n`)
  // Some of it was made impossible to restore: no other call may find it here.
  if (restoreInstalled().length > 0) spoiled = true
}

/** The shared variables may contain values that are not data. */
function withChanges(outcome: CallOutcome, state: StateView | undefined) {
  try {
    return { outcome, changes: state?.changes() }
  } catch (error) {
    return { outcome: { ok: false as const, failure: toFailure(error) } }
  }
}

function toFailure(error: unknown) {
  return error instanceof LoadError ? error.failure : describeThrown(error)
}

/** An error that nobody awaits fails its call; if that has ended, it is reported as late. The worker is not used again. */
function onStrayError(error: unknown): void {
  spoiled = true
  const current = currentCall()
  const culprit = owningCall()
  if (culprit === current) culprit?.fail(error)
  else if (culprit !== undefined) reportLate(culprit, error)
  if (current === undefined) bridge.send({ type: 'spoiled' })
}

function reportLate(call: RunningCall, error: unknown): void {
  call.lateErrors = (call.lateErrors ?? 0) + 1
  if (call.lateErrors > maxLateErrors) return
  bridge.send({ type: 'late_error', id: call.id, text: describeThrown(error).stack })
}

function abort(id: number, reason: AbortReason): void {
  const current = currentCall()
  if (current?.id !== id) return
  current.controller.abort(Object.assign(new Error(reason.message), { name: reason.name }))
}

async function installHooks(): Promise<void> {
  if ('registerHooks' in nodeModule && typeof nodeModule.registerHooks === 'function') {
    const { registerHooks } = nodeModule
    registerHooks(await import('./hooks.ts'))
  } else {
    nodeModule.register(new URL('./script-hooks.js', import.meta.url))
  }
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
mapStacks()
installHelpers()
installGlobals(bridge)
await installHooks()
port.on('message', (message: RunnerMessage) => bridge.receive(message))
