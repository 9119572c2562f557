import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// The servers of the tests are on loopback, where a proxy of the machine has no business.
const noProxies = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' }

export default defineConfig({
  test: {
    env: noProxies,
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most tests wait for a command that they run, and some for time to pass: as many workers as cores would leave these idle.
    maxWorkers: availableParallelism() + 1,
  },
})
