/**
 * The latencies of some calls. Their logarithms are averaged, because the latencies of models differ by factors: one slow
 * answer would dominate a plain average.
 */
export class LatencySample {
  #count = 0
  #sum = 0
  #sumOfSquares = 0

  add(latencyMs: number): void {
    // Differences of less than a millisecond are noise.
    const value = Math.log(Math.max(1, latencyMs))
    this.#count += 1
    this.#sum += value
    this.#sumOfSquares += value * value
  }

  get count(): number {
    return this.#count
  }

  /** The average logarithm, and how far chance alone may move it: two standard errors. */
  summarize(): { mean: number; margin: number } {
    const mean = this.#sum / this.#count
    const variance = Math.max(0, this.#sumOfSquares / this.#count - mean * mean)
    return { mean, margin: 2 * Math.sqrt(variance / Math.max(1, this.#count - 1)) }
  }
}
