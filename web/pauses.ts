/** Longer uninterrupted work would be noticed while scrolling or typing. */
const longestMs = 12

/** Returns a function to await often during long work: from time to time it lets the page respond. */
export function createPauses(): () => Promise<void> | undefined {
  let started = performance.now()
  return () => {
    if (performance.now() - started < longestMs) return undefined
    return new Promise((resolve) =>
      setTimeout(() => {
        started = performance.now()
        resolve()
      }),
    )
  }
}
