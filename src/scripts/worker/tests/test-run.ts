import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { now, race } from '../../../json/equal/untouched.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { emptyMemory } from '../../../scope/context.ts'
import { findDeclarations } from '../../compile/open-module.ts'
import type { ContextData } from '../../protocol/context-data.ts'
import type { FailureReason, TestReport } from '../../protocol/report.ts'
import { StateView } from '../../protocol/state.ts'
import type { TestEvent } from '../../protocol/test-event.ts'
import type { AgentVerdict, TestBridge } from '../../protocol/testing.ts'
import type { Bridge } from '../bridge.ts'
import { preserveBuiltins } from '../builtins.ts'
import { createContext, restoreContexts } from '../context/script-context.ts'
import { isFunction, type UserFunction } from '../is-function.ts'
import { type Exports, findFunctionExport } from '../load.ts'
import { owningCall, type RunningCall } from '../running-call.ts'
import { createTest } from './create-test.ts'
import { countActiveResources, settleLeftovers } from './leftovers.ts'
import { toThrownReason } from './record.ts'

/** A test or a phase, to which errors that nobody awaits are attributed. */
interface Unit {
  name: string
  fail(error: unknown): void
}

interface Given {
  file: string
  context: ContextData
  variables: Data
}

/** Runs the tests of a file and the functions around them in one worker. */
export class TestRun {
  readonly #exports: Exports
  readonly #given: Given
  readonly #bridge: Bridge
  readonly #call: RunningCall
  readonly #units = new AsyncLocalStorage<Unit | undefined>()
  #current: Unit | undefined

  constructor(exports: Exports, given: Given, bridge: Bridge) {
    const call = owningCall()
    if (call === undefined) throw new Error('tests are run by a call')
    this.#exports = exports
    this.#given = given
    this.#bridge = bridge
    this.#call = call
    call.checkAsker = () => {
      const asking = this.#units.getStore()
      if (asking !== undefined && asking !== this.#current) throw new Error(`${asking.name} has ended`)
    }
    call.fail = (error) => (this.#units.getStore() ?? this.#current)?.fail(error)
  }

  /** Runs the tests, inside `TestMain` if there is one. */
  async all(tests: readonly string[]): Promise<void> {
    const main = this.#optional('TestMain')
    if (main === undefined) return this.#allWithin(tests)
    let running: Promise<void> | undefined
    const run = () => {
      running ??= this.#outside('TestMain', () => this.#allWithin(tests))
      return running
    }
    await this.#phase('TestMain', async (context) => {
      await main({ run, Run: run }, context)
      if (running === undefined) throw new Error('it ended without m.run(): no test was run')
      await running
    })
  }

  async #allWithin(tests: readonly string[]): Promise<void> {
    const [beforeAll, afterAll] = [this.#optional('BeforeAll'), this.#optional('AfterAll')]
    const ready = beforeAll === undefined || (await this.#phase('BeforeAll', beforeAll))
    if (ready) for (const name of tests) await this.#test(name)
    if (afterAll !== undefined) await this.#phase('AfterAll', afterAll)
  }

  async #test(name: string): Promise<void> {
    const { context, sessionId } = this.#begin()
    const before = countActiveResources()
    this.#tell({ type: 'test_started', name, sessionId })
    const body = findFunctionExport(this.#exports, name, this.#given.file)
    const { t, run } = createTest(name, this.#testBridge())
    const around = (each: UserFunction | undefined) => each && (() => each(t, context))
    const functions = {
      beforeEach: around(this.#optional('BeforeEach')),
      test: () => body(t, context),
      afterEach: around(this.#optional('AfterEach')),
    }
    const stray = this.#unit(name)
    const running = this.#units.run(stray.unit, () => preserveBuiltins(() => run(functions), this.#print))
    const report = await race([running, stray.failed])
    await settleLeftovers(before, running)
    this.#tell({ type: 'test_finished', name, report: stray.amend(report) })
    stray.end((reason) => this.#tell({ type: 'test_broke_later', name, reason }))
    this.#current = undefined
    this.#bridge.forgetCall()
    this.#bridge.ask({ kind: 'next_test' })
  }

  /** Runs one of the functions around the tests. Returns whether it succeeded. */
  async #phase(name: string, body: UserFunction): Promise<boolean> {
    const { context, sessionId } = this.#begin()
    this.#tell({ type: 'phase_started', name, sessionId })
    const before = countActiveResources()
    const stray = this.#unit(name)
    const running = this.#units.run(stray.unit, () => runPhase(() => body(context)))
    const report = await race([running, stray.failed])
    await settleLeftovers(before, running)
    const { reason } = stray.amend(report)
    this.#tell({ type: 'phase_finished', name, ...(reason && { reason }) })
    stray.end(() => {})
    return reason === undefined
  }

  /** Suspends a phase while the tests that it runs are running. */
  async #outside(phase: string, work: () => Promise<void>): Promise<void> {
    this.#tell({ type: 'phase_finished', name: phase })
    const unit = this.#current
    await this.#units.run(undefined, work)
    this.#current = unit
    this.#tell({ type: 'phase_started', name: phase, sessionId: this.#begin().sessionId })
  }

  /** Starts a fresh context and state, so that tests share nothing. */
  #begin(): { context: object; sessionId: string } {
    const { context, variables } = this.#given
    const sessionId = randomUUID()
    this.#call.renewAllowance()
    this.#call.state = new StateView({ variables: structuredClone(variables), ...emptyMemory() })
    const data = { ...structuredClone(context), sessionId, inTest: true }
    return { sessionId, context: createContext(data, this.#bridge, this.#print) }
  }

  #unit(name: string) {
    const stray = trackStrayErrors(name)
    this.#current = stray.unit
    return stray
  }

  #testBridge(): TestBridge {
    const bridge = this.#bridge
    const print = this.#print
    return {
      print,
      validate: (value, agent, options) =>
        bridge.ask({ kind: 'validate', value, agent, options }) as AgentVerdict,
      mock: (name, replacement) => {
        const mock = bridge.refer(
          isFunction(replacement)
            ? (...args) => replacement(...restoreContexts(args, bridge, print))
            : () => replacement,
        )
        bridge.ask({ kind: 'mock', name, mock })
      },
    }
  }

  readonly #print = (line: string): void => this.#call.print(`${line}\n`)

  #tell(event: TestEvent): void {
    this.#call.report(event)
  }

  #optional(name: string): UserFunction | undefined {
    const value = this.#exports[name] ?? findDeclarations(this.#given.file)?.[name]
    return isFunction(value) ? value : undefined
  }
}

/** Errors that nobody awaits: the first one fails the unit it occurred in, a later one is reported as late. */
function trackStrayErrors(name: string) {
  let first: FailureReason | undefined
  let late: ((reason: FailureReason) => void) | undefined
  let fail = (_report: TestReport) => {}
  const started = now()
  const failed = new Promise<TestReport>((resolve) => {
    fail = resolve
  })
  const unit: Unit = {
    name,
    fail(error) {
      const reason = toThrownReason(error)
      if (late !== undefined) return late({ ...reason, message: `after it had ended: ${reason.message}` })
      first ??= reason
      fail(createFailedReport(reason, now() - started))
    },
  }
  return {
    unit,
    failed,
    amend: (report: TestReport): TestReport =>
      first === undefined || report.status === 'failed'
        ? report
        : { ...report, status: 'failed', reason: first },
    end(tell: (reason: FailureReason) => void) {
      late = tell
    },
  }
}

function createFailedReport(reason: FailureReason, durationMs: number): TestReport {
  return { status: 'failed', reason, failures: [], assertions: 0, subtests: [], durationMs }
}

async function runPhase(work: () => unknown): Promise<TestReport> {
  const passed: TestReport = { status: 'passed', failures: [], assertions: 0, subtests: [], durationMs: 0 }
  try {
    await work()
    return passed
  } catch (error) {
    return createFailedReport(toThrownReason(error), 0)
  }
}
