import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// The servers of the tests are on loopback, where a proxy of the machine has no business.
const noProxies = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' }

// Tests leave nothing behind: a process for each of their files would cost more than it gives.
const shared = {
  env: noProxies,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
  isolate: false,
}

export default defineConfig({
  test: {
    // Most tests wait for a command that they run, and some for time to pass: as many workers as cores would leave these idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { ...shared, name: 'unit', include: ['src/**/*.test.ts', 'web/**/*.test.ts'] } },
      { test: { ...shared, name: 'end to end', include: ['test/**/*.test.ts'] } },
    ],
  },
})
