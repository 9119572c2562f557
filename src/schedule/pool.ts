/**
 * Works through a list with at most `parallel` at once, in order, until `stop` says to start no more. Gives what
 * was not started. Work that throws stops the others too, and is thrown when they have ended.
 */
export async function workThrough<T>(
  items: readonly T[],
  parallel: number,
  stop: AbortController,
  work: (item: T) => Promise<void>,
): Promise<T[]> {
  let next = 0
  const lane = async () => {
    while (!stop.signal.aborted && next < items.length) {
      const item = items[next++] as T
      await work(item).catch((error: unknown) => {
        stop.abort(error)
        throw error
      })
    }
  }
  const lanes = Array.from({ length: Math.min(parallel, items.length) }, lane)
  const failed = (await Promise.allSettled(lanes)).find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return items.slice(next)
}
