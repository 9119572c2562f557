import { InterruptedError } from '../../errors.ts'
import type { WatchCommand } from './keys.ts'
import { everything, mergeParts, type Part } from './part.ts'

/** One run of a session. */
export interface Round {
  part: Part
  /** The pattern that the user has typed. */
  filter: string | undefined
  /** What has changed, for the terminal. */
  because: string | undefined
  /** Accepts the replies as snapshots. */
  updatesSnapshots: boolean
  signal: AbortSignal
}

export interface RoundEnd {
  exitCode: number
  /** `refused`: a mistake in a file, so that nothing was run. `empty`: no case of the part matches the filter. */
  end: 'complete' | 'stopped' | 'refused' | 'empty'
}

export interface SessionOptions {
  play(round: Round): Promise<RoundEnd>
  /** Asks for the pattern of the filter; undefined when the user leaves it as it is. */
  askFilter(now: string | undefined, signal: AbortSignal): Promise<string | undefined>
  /** Whether a case has failed in this session. */
  hasFailed(): boolean
  /** Called when a run is over and nothing else is to be done. */
  waiting(filter: string | undefined): void
  say(text: string): void
  /** Ends the session. */
  signal: AbortSignal
}

interface Work {
  part: Part
  updatesSnapshots?: boolean
}

/** What is to be done next. */
type Wish = { kind: 'quit' } | { kind: 'ask' } | ({ kind: 'run'; because?: string } & Work)

/** How a session ends that was left before a run was complete. */
const interruptedCode = 130

/** Runs, waits for a change or a key, and runs again. */
export class WatchSession {
  readonly #options: SessionOptions
  #wish: Wish | undefined = { kind: 'run', part: everything }
  #wake = () => {}
  /** Stops the run that is under way. */
  #stop: ((why: string) => void) | undefined
  /** What a run that was stopped or refused has left. */
  #owed: Work | undefined
  #last: Part = everything
  #filter: string | undefined
  #exitCode = interruptedCode

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** Until the user quits. Returns the exit code of the last run that was not stopped. */
  async run(): Promise<number> {
    const { signal, waiting } = this.#options
    const wake = () => this.#wake()
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const wish = this.#wish
        this.#wish = undefined
        if (wish?.kind === 'quit') return this.#exitCode
        if (wish?.kind === 'ask') await this.#ask()
        if (wish?.kind === 'run') await this.#play(wish)
        if (this.#wish !== undefined || signal.aborted) continue
        waiting(this.#filter)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      return interruptedCode
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  /** Files have changed. A run that is under way is stopped, and what it had to do is done again. */
  changed(part: Part, because: string): void {
    if (this.#wish?.kind === 'quit' || this.#wish?.kind === 'ask') {
      this.#owed = mergeWork(this.#owed, { part })
      return
    }
    this.#want({ kind: 'run', ...mergeWork(this.#wish, { part }), because }, because)
  }

  command(command: WatchCommand): void {
    if (command === 'quit') this.#want({ kind: 'quit' }, 'the user quits')
    if (command === 'filter') this.#want({ kind: 'ask' }, 'the user asks for other cases')
    if (command === 'again') this.#want({ kind: 'run', part: this.#last }, 'the user starts again')
    if (command === 'update')
      this.#want({ kind: 'run', part: this.#last, updatesSnapshots: true }, 'the user accepts the snapshots')
    if (command === 'all') {
      this.#filter = undefined
      this.#want({ kind: 'run', part: everything }, 'the user asks for all cases')
    }
    if (command !== 'failed') return
    if (this.#options.hasFailed())
      this.#want({ kind: 'run', part: { failed: true } }, 'the user asks for other cases')
    else this.#options.say('No case is failing now')
  }

  #want(wish: Wish, why: string): void {
    this.#wish = wish
    this.#stop?.(why)
    this.#wake()
  }

  async #ask(): Promise<void> {
    const { askFilter, signal } = this.#options
    const typed = await askFilter(this.#filter, signal)
    if (typed !== undefined) {
      this.#filter = typed === '' ? undefined : typed
      this.#wish = { kind: 'run', part: everything }
    } else if (this.#owed !== undefined) this.#wish ??= { kind: 'run', ...this.#owed }
  }

  async #play({ because, ...wanted }: Wish & { kind: 'run' }): Promise<void> {
    const { signal, play } = this.#options
    // What the user asks for is all they want; a change leaves the rest of an unfinished run to be done.
    const work = because === undefined ? wanted : mergeWork(this.#owed, wanted)
    const { part, updatesSnapshots = false } = work
    const stopping = new AbortController()
    const follow = () => stopping.abort(signal.reason)
    signal.addEventListener('abort', follow)
    this.#stop = (why) => stopping.abort(new InterruptedError(why))
    this.#last = part
    try {
      const { end, exitCode } = await play({
        part,
        because,
        filter: this.#filter,
        updatesSnapshots,
        signal: stopping.signal,
      })
      const isOver = end === 'complete' || end === 'empty'
      // Another key than `u` also cancels an update that was stopped.
      this.#owed = isOver ? undefined : { part: mergeParts(this.#owed?.part, part), updatesSnapshots }
      if (end === 'complete' || end === 'refused') this.#exitCode = exitCode
    } finally {
      this.#stop = undefined
      signal.removeEventListener('abort', follow)
    }
  }
}

function mergeWork(one: Work | undefined, other: Work): Work {
  return {
    part: mergeParts(one?.part, other.part),
    updatesSnapshots: one?.updatesSnapshots === true || other.updatesSnapshots === true,
  }
}
