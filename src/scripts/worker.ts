/** The entry of a worker thread: here, and nowhere else, the user's code runs, one call at a time. */
import { AsyncLocalStorage } from 'node:async_hooks'
import nodeModule from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MessagePort, workerData } from 'node:worker_threads'
import { perform } from './calls/perform.ts'
import { installHelpers } from './compiled-helpers.ts'
import { NotLoaded } from './load.ts'
import { captureOutput, createAllowance } from './output.ts'
import type { AbortReason, Outcome, RunnerMessage, WorkerMessage } from './protocol.ts'
import type { ScriptCall } from './script-call.ts'
import { thrownFailure } from './thrown.ts'

interface RunningCall {
  id: number
  controller: AbortController
  print(text: string): void
  /** Ends the call because of an error that nobody awaits. */
  fail(error: unknown): void
}

const port = takePort()
/** Whose code is running: leftovers of an ended call (timers, promises) keep the call they came from. */
const owner = new AsyncLocalStorage<RunningCall>()
let current: RunningCall | undefined
let spoiled = false

/** Taken away from `workerData`, where the user's code could find it and speak for us. */
function takePort(): MessagePort {
  const data = workerData as { port?: MessagePort }
  const { port } = data
  if (port === undefined) throw new Error('script-worker is started by script-host only')
  delete data.port
  return port
}

function send(message: WorkerMessage): void {
  port.postMessage(message)
}

async function run(id: number, payload: string): Promise<void> {
  const controller = new AbortController()
  const print = createAllowance((text) => send({ type: 'log', id, text }))
  const outcome = await new Promise<Outcome>((settle) => {
    const fail = (error: unknown) => settle({ ok: false, failure: failureOf(error) })
    current = { id, controller, print, fail }
    owner.run(current, () => answer(payload, controller.signal).then(settle, fail))
  })
  current = undefined
  send({ type: 'done', id, outcome, spoiled })
}

async function answer(payload: string, signal: AbortSignal): Promise<Outcome> {
  const json = await perform(JSON.parse(payload) as ScriptCall, signal)
  // Node reports a rejection that nobody handles a turn later; it still belongs to this call.
  await nextTurn()
  return { ok: true, json }
}

function failureOf(error: unknown) {
  return error instanceof NotLoaded ? error.failure : thrownFailure(error)
}

/** An error nobody awaits fails the call it comes from; if that has ended, only this worker is given up. */
function onStrayError(error: unknown): void {
  spoiled = true
  const culprit = owner.getStore() ?? current
  if (current === undefined) send({ type: 'spoiled' })
  else if (culprit === current) current.fail(error)
  else current.print(`an earlier call left an error behind: ${thrownFailure(error).stack}\n`)
}

function abort(id: number, reason: AbortReason): void {
  if (current?.id !== id) return
  const error = new Error(reason.message)
  error.name = reason.name
  current.controller.abort(error)
}

async function installHooks(): Promise<void> {
  if ('registerHooks' in nodeModule && typeof nodeModule.registerHooks === 'function') {
    const { registerHooks } = nodeModule
    registerHooks(await import('./hooks.ts'))
  } else {
    nodeModule.register(new URL('./script-hooks.js', import.meta.url))
  }
}

/** So that every stack is in the lines of the TypeScript, those the user's code prints too. */
function mapStacks(): void {
  if ('setSourceMapsSupport' in nodeModule && typeof nodeModule.setSourceMapsSupport === 'function') {
    // Packages bring large maps that nobody reads.
    nodeModule.setSourceMapsSupport(true, { nodeModules: false })
  } else {
    process.setSourceMapsEnabled(true)
  }
}

captureOutput((text) => (owner.getStore() ?? current)?.print(text))
process.on('uncaughtException', onStrayError)
process.on('unhandledRejection', onStrayError)
mapStacks()
installHelpers()
await installHooks()
port.on('message', (message: RunnerMessage) => {
  if (message.type === 'call') void run(message.id, message.payload)
  else abort(message.id, message.reason)
})
