import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['bench.eval.mjs'],
    maxConcurrency: Number(process.env.BENCH_PARALLEL),
    reporters: ['vitest-evals/reporter'],
  },
})
