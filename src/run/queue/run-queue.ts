import { type ItemList, itemAt, LazyList } from '../../json/lazy-list.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

/** Decides what to work on next. */
export interface Queue<T> {
  /** Undefined when nothing can be started now; running work may change that. */
  take(): T | undefined
  /** Called when an item that was taken is finished. */
  done(item: T): void
}

/** A queue that gives its items in order. */
export function listQueue<T>(items: ItemList<T>): Queue<T> & { left(): ItemList<T> } {
  let next = 0
  return {
    take: () => items.at(next++),
    done() {},
    left() {
      const first = next
      return new LazyList(Math.max(0, items.length - first), (index) => itemAt(items, first + index))
    },
  }
}

/**
 * Works through a queue with as many items at once as the limit allows, until `stop` is aborted. If one throws, the
 * others are stopped too, and the error is thrown when they have ended.
 */
export async function runQueue<T>(
  queue: Queue<T>,
  limit: ConcurrencyLimit,
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
      while (!stop.signal.aborted && limit.hasRoom(underWay)) {
        const item = queue.take()
        if (item === undefined) break
        start(item)
      }
      if (underWay === 0) finish()
    }
    limit.onRoom?.(goOn)
    goOn()
  })
  if (failure !== undefined) throw failure.error
}
