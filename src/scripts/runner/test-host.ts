import type { Data } from '../../results/transcript/message.ts'
import type { ContextData } from '../protocol/context-data.ts'
import type { FileCoverage } from '../protocol/coverage.ts'
import type { LoadedTests } from '../protocol/script-call.ts'
import { ScriptCrash } from './script-error.ts'
import { createScriptHost, type HostSurroundings, type ScriptHost } from './script-host.ts'
import { type TestListener, TestRound } from './test-round.ts'

/** The limit for the tests of one file; honest tests need less. */
const testMemoryMb = 1536

/** How many processes that have loaded their file are kept for its first run. */
const maxWarm = 4
let keptWarm = 0

/** A test that breaks promises ends everything that awaits it, without a result. */
const endedEarly = {
  kind: 'crash' as const,
  ended: 'worker' as const,
  message: 'its process ended before the test had a result: it may have replaced a built-in',
}

/**
 * Runs the tests of one file, with a process of its own for every run. A process that dies is replaced, and the remaining
 * tests go on.
 */
export class TestHost {
  readonly file: string
  readonly #surroundings: HostSurroundings
  /** Has loaded the file, and is there for the first run. */
  #loaded: ScriptHost | undefined
  readonly #running = new Set<ScriptHost>()
  /** The coverage of all processes that finished. */
  readonly coverage: FileCoverage[][] = []
  readonly #measured: boolean

  constructor(file: string, surroundings: HostSurroundings, coverage: boolean) {
    this.file = file
    this.#measured = coverage
    this.#surroundings = surroundings
  }

  /** Throws `ScriptLoadError`, `ScriptCrash`, or `ScriptStopped`. */
  async load(tests: readonly string[], signal: AbortSignal): Promise<LoadedTests> {
    const host = this.#start()
    const call = { kind: 'load_tests' as const, ...this.#calling([...tests]) }
    const loaded = (await host.call(call, { signal })) as LoadedTests
    // One process for each of a hundred files would fill the memory before the first runs.
    if (keptWarm >= maxWarm) await this.#end(host)
    else {
      keptWarm += 1
      this.#loaded = host
    }
    return loaded
  }

  /** Runs all tests in order. Each is reported when it has ended; the promise rejects only when the run is stopped. */
  async run(
    tests: readonly string[],
    given: { context: ContextData; variables: Data },
    listener: TestListener,
    signal: AbortSignal,
  ): Promise<void> {
    let host = this.#loaded ?? this.#start()
    if (this.#loaded !== undefined) keptWarm -= 1
    this.#loaded = undefined
    try {
      for (let left = [...tests]; left.length > 0; ) {
        const round = new TestRound(this.#surroundings.answering, listener, left)
        const call = { kind: 'run_tests' as const, ...this.#calling(left), ...given }
        try {
          const done = await host.call(call, round.callOptions(signal))
          if (round.left.length === 0) this.coverage.push((done as { coverage: FileCoverage[] }).coverage)
          else {
            await this.#end(host)
            host = this.#start()
            round.brokeOff(new ScriptCrash(endedEarly))
          }
        } catch (error) {
          signal.throwIfAborted()
          if (round.broken !== undefined) throw round.broken.error
          round.brokeOff(error)
        } finally {
          round.end()
        }
        left = round.left
      }
    } finally {
      await this.#end(host)
    }
  }

  async #end(host: ScriptHost): Promise<void> {
    this.#running.delete(host)
    await host.close()
  }

  #start(): ScriptHost {
    const surroundings = this.#surroundings
    const host = createScriptHost({ permits: 1, disposable: true, maxMemoryMb: testMemoryMb, surroundings })
    this.#running.add(host)
    return host
  }

  #calling(tests: string[]) {
    return { file: this.file, tests, coverage: this.#measured }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((host) => host.close()))
  }
}
