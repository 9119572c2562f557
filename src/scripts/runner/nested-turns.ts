/** Says when calls of scripts by scripts begin. A call has a turn as long as it runs. */
export interface NestedTurns {
  /** Resolves to the function that ends the turn. `depth`: how many scripts wait for it. Rejects with the signal's reason. */
  take(depth: number, signal: AbortSignal): Promise<() => void>
  /** Rejects everyone who waits. */
  close(reason: Error): void
}

export interface NestedTurnsOptions {
  /** How many calls run at once before others have to wait. */
  atOnce: number
  /** One call that waits begins when none has begun or ended for this long: all that run may be waiting for it. */
  stillMs: number
}

interface WaitingCall {
  depth: number
  enter(): void
  leave(reason: unknown): void
}

/**
 * Every call has a thread, which is blocked while it waits for a nested one. The deepest call is the next to begin, so that
 * some chains of calls end, and others continue in their threads, instead of all chains getting all their threads at once.
 */
export function createNestedTurns({ atOnce, stillMs }: NestedTurnsOptions): NestedTurns {
  let running = 0
  const waiting = new Set<WaitingCall>()
  let timer: NodeJS.Timeout | undefined

  function admitDeepest(): void {
    let deepest: WaitingCall | undefined
    // The first of several that are equally deep, so that none of them waits forever.
    for (const call of waiting) if (deepest === undefined || call.depth > deepest.depth) deepest = call
    deepest?.enter()
  }

  function onTimer(): void {
    timer = undefined
    admitDeepest()
    startTimer()
  }

  function startTimer(): void {
    if (waiting.size > 0) timer ??= setTimeout(onTimer, stillMs)
  }

  function begin(): () => void {
    running += 1
    timer?.refresh()
    return () => {
      running -= 1
      timer?.refresh()
      if (running < atOnce) admitDeepest()
    }
  }

  function waitForTurn(depth: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const forget = () => {
        waiting.delete(call)
        signal.removeEventListener('abort', onAbort)
        if (waiting.size > 0) return
        clearTimeout(timer)
        timer = undefined
      }
      const onAbort = () => call.leave(signal.reason)
      const call: WaitingCall = {
        depth,
        enter() {
          forget()
          resolve(begin())
        },
        leave(reason) {
          forget()
          reject(reason)
        },
      }
      waiting.add(call)
      signal.addEventListener('abort', onAbort, { once: true })
      startTimer()
    })
  }

  return {
    async take(depth, signal) {
      signal.throwIfAborted()
      return running < atOnce ? begin() : waitForTurn(depth, signal)
    },
    close(reason) {
      for (const { leave } of waiting) leave(reason)
    },
  }
}
