/** Counts requests, and how many of them are in flight over time, from the first request to the last response. */
export function createTraffic() {
  let requests = 0
  let inFlight = 0
  let most = 0
  /** The sum of the time of all requests, in milliseconds. */
  let busyMs = 0
  let first
  let last

  function advance() {
    const now = performance.now()
    first ??= now
    busyMs += inFlight * (now - (last ?? now))
    last = now
  }

  return {
    begin() {
      advance()
      requests += 1
      inFlight += 1
      most = Math.max(most, inFlight)
    },
    end() {
      advance()
      inFlight -= 1
    },
    /** Returns the figures since the last call, and starts again. */
    take() {
      const seconds = first === undefined ? 0 : (last - first) / 1000
      const figures = {
        requests,
        seconds,
        mostInFlight: most,
        meanInFlight: seconds > 0 ? busyMs / 1000 / seconds : 0,
      }
      requests = 0
      most = inFlight
      busyMs = 0
      first = undefined
      last = undefined
      return figures
    },
  }
}
