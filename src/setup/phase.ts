import { untilAborted, withTimeout } from '../scope/deadline.ts'

/** One thing that a run needs: how it is opened from what was opened before it, and how it is closed. */
export interface Phase<Name extends string, Needs, Value> {
  /** What the opened value is called for later phases. */
  readonly name: Name
  readonly open: (needs: Needs) => Value | Promise<Value>
  readonly close?: (value: Value) => void | Promise<void>
}

/** Every list of phases starts with a signal that stops it. */
export interface Start {
  signal: AbortSignal
}

/** A list of phases. They are opened in order and closed in reverse, whatever happens in between. */
export interface Phases<Given extends Start, Opened> {
  /** The list with one more phase, which sees all that was opened before it. */
  with<Name extends string, Value>(
    phase: Phase<Name, Opened, Value>,
  ): Phases<Given, Opened & { readonly [Key in Name]: Value }>
  /** Opens all phases, does the work, and closes what was opened. */
  use<Result>(given: Given, work: (opened: Opened) => Promise<Result>): Promise<Result>
  /** Opens all phases for a caller that closes them itself. */
  open(given: Given): Promise<{ opened: Opened; close(): Promise<void> }>
}

/** What a list of phases has opened when its work begins. */
export type OpenedBy<List> = List extends Phases<infer _, infer Opened> ? Opened : never

/** A list of phases that starts with what is given. */
export function phases<Given extends Start>(): Phases<Given, Given> {
  return createPhases<Given, Given>([])
}

// biome-ignore lint/suspicious/noExplicitAny: each phase was checked against those before it when it was added
type AnyPhase = Phase<string, any, any>

function createPhases<Given extends Start, Opened>(list: readonly AnyPhase[]): Phases<Given, Opened> {
  return {
    with: (phase) => createPhases([...list, phase]),
    async use(given, work) {
      const closing: Close[] = []
      const done = await settle(async () => {
        let opened: object = given
        for (const phase of list)
          opened = { ...opened, [phase.name]: await open(phase, opened, given.signal, closing) }
        return work(opened as Opened)
      })
      const errors = 'error' in done ? [done.error] : []
      for (const close of closing.toReversed()) {
        const closed = await settle(close)
        if ('error' in closed) errors.push(closed.error)
      }
      // No error may hide another.
      if (errors.length > 1) throw new AggregateError(errors, 'several things went wrong')
      if ('error' in done || errors.length === 1) throw errors[0]
      return done.value
    },
    open(given) {
      return new Promise((resolve, reject) => {
        let end = () => {}
        const ended = new Promise<void>((done) => {
          end = done
        })
        const used = this.use(given, async (opened) => {
          resolve({
            opened,
            close() {
              end()
              return used
            },
          })
          await ended
        })
        used.catch(reject)
      })
    },
  }
}

type Close = () => Promise<void>

/** How long a phase may take to notice that it was stopped while it was opened. */
const lateMs = 30_000

async function open(phase: AnyPhase, needs: object, signal: AbortSignal, closing: Close[]): Promise<unknown> {
  signal.throwIfAborted()
  const opening = Promise.resolve(phase.open(needs))
  const { close } = phase
  // Also when it is stopped before it is open: what it was opened from must not be closed before it.
  if (close !== undefined)
    closing.push(async () => {
      const opened = await settle(() => withTimeout(lateMs, opening))
      if ('value' in opened) await close(opened.value)
      else opening.then(close).catch(() => {})
    })
  return untilAborted(opening, signal)
}

async function settle<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}
