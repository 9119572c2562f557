/** What is worked on next. */
export interface Queue<T> {
  /** Undefined when nothing can be started now; what is under way may change that. */
  take(): T | undefined
  /** One that was taken is over. */
  done(item: T): void
}

/** One after the other. */
export function listQueue<T>(items: readonly T[]): Queue<T> & { left(): T[] } {
  let next = 0
  return {
    take: () => items[next++],
    done() {},
    left: () => items.slice(next),
  }
}

/**
 * Works through a queue with at most `parallel` at once, until `stop` says to start no more. Work that throws stops the
 * others too, and is thrown when they have ended.
 */
export async function workThrough<T>(
  queue: Queue<T>,
  parallel: number,
  stop: AbortController,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let underWay = 0
  let failure: { error: unknown } | undefined
  await new Promise<void>((finish) => {
    const start = (item: T) => {
      underWay += 1
      void work(item)
        .catch((error: unknown) => {
          failure ??= { error }
          stop.abort(error)
        })
        .then(() => {
          underWay -= 1
          queue.done(item)
          goOn()
        })
    }
    const goOn = () => {
      while (underWay < parallel && !stop.signal.aborted) {
        const item = queue.take()
        if (item === undefined) break
        start(item)
      }
      if (underWay === 0) finish()
    }
    goOn()
  })
  if (failure !== undefined) throw failure.error
}
