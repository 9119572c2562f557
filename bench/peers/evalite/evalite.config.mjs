import { defineConfig } from 'evalite/config'

export default defineConfig({ maxConcurrency: Number(process.env.BENCH_PARALLEL), scoreThreshold: 100 })
