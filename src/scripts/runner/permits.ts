/** Lets a number of holders through at once; the others wait in the order they came. */
export interface Permits {
  /** Resolves to the function that returns the permit. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>
  /** Takes all permits: their holder is alone. */
  takeAll(signal: AbortSignal): Promise<() => void>
  /** Rejects everyone who waits. */
  close(reason: Error): void
}

export function createPermits(count: number): Permits {
  const single = createSingles(count)
  // Two callers collecting permits at once would each hold what the other waits for.
  const collecting = createSingles(1)
  return {
    take: single.take,
    async takeAll(signal) {
      const giveTurnBack = await collecting.take(signal)
      const taken: (() => void)[] = []
      const giveBack = () => {
        for (const give of [...taken, giveTurnBack]) give()
      }
      try {
        while (taken.length < count) taken.push(await single.take(signal))
        return giveBack
      } catch (error) {
        giveBack()
        throw error
      }
    },
    close(reason) {
      collecting.close(reason)
      single.close(reason)
    },
  }
}

function createSingles(count: number): Omit<Permits, 'takeAll'> {
  let free = count
  const waiting = new Set<{ enter(): void; leave(reason: unknown): void }>()

  function giveBack(): void {
    free += 1
    const [next] = waiting
    next?.enter()
  }

  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        const enter = () => {
          free -= 1
          waiting.delete(visitor)
          signal.removeEventListener('abort', onAbort)
          resolve(giveBack)
        }
        const leave = (reason: unknown) => {
          waiting.delete(visitor)
          signal.removeEventListener('abort', onAbort)
          reject(reason)
        }
        const onAbort = () => leave(signal.reason)
        const visitor = { enter, leave }
        if (signal.aborted) return reject(signal.reason)
        if (free > 0) return enter()
        waiting.add(visitor)
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    close(reason) {
      for (const { leave } of waiting) leave(reason)
    },
  }
}
