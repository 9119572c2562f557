/** Longer at a stretch, and whoever scrolls or types would feel it. */
const longestMs = 12

/** To be awaited within long work, as often as one likes: every now and then it lets the page answer. */
export function createPauses(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < longestMs) return undefined
    return new Promise((resolve) =>
      setTimeout(() => {
        began = performance.now()
        resolve()
      }),
    )
  }
}
