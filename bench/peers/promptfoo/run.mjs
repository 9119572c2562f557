/** Starts the command of promptfoo with nothing that uses the network or draws on the terminal. */
import { resolve } from 'node:path'

Object.assign(process.env, {
  PROMPTFOO_CONFIG_DIR: resolve('store'),
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
})
const quiet = ['--no-cache', '--no-share', '--no-table', '--no-progress-bar']
const parallel = ['--max-concurrency', process.env.BENCH_PARALLEL]
process.argv.push('eval', '-c', 'promptfooconfig.mjs', ...quiet, ...parallel)
await import('./node_modules/promptfoo/dist/src/entrypoint.js')
