import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { maxConcurrency: Number(process.env.BENCH_PARALLEL) } })
