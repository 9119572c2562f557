/** Works through a list with at most `parallel` at once, in order, until the signal says to start no more. */
export async function workThrough<T>(
  items: Iterable<T>,
  parallel: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<T[]> {
  const iterator = items[Symbol.iterator]()
  const lane = async () => {
    while (!signal.aborted) {
      const next = iterator.next()
      if (next.done) return
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
  return [...{ [Symbol.iterator]: () => iterator }]
}
