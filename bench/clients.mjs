/**
 * The cost of one chat completion with different clients: many calls without latency, each client in its own process.
 * The reason why viva has its own client (docs/decisions).
 *
 *   node bench/clients.mjs [--calls 10000] [--parallel 16] [--rounds 5] [--ai-sdk <folder>]
 *
 * `--ai-sdk` (or VIVA_BENCH_AI_SDK) is a folder with `@ai-sdk/openai-compatible@2.0.87` installed.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'tsdown'
import { alternate, printTable, repository, startServer, timeProcess } from './measure.mjs'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    parallel: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    'ai-sdk': { type: 'string', default: process.env.VIVA_BENCH_AI_SDK ?? '' },
  },
})
const { calls, parallel, rounds } = values
const aiSdk = values['ai-sdk']
// In node_modules, so that the built files find undici and git ignores them.
const built = `${repository}node_modules/.cache/viva-bench`

await build({
  config: false,
  cwd: repository,
  entry: { model: 'src/models/openai-compatible.ts', scope: 'src/scope/plain-scope.ts' },
  outDir: built,
  format: 'esm',
  platform: 'node',
  fixedExtension: true,
  dts: false,
  logLevel: 'error',
})

const clients = ['undici', 'fetch', 'viva-whole', 'viva-streamed']
if (aiSdk === '') console.log('no --ai-sdk folder: its rows are omitted.')
else clients.push('ai-sdk-whole', 'ai-sdk-streamed', 'ai-sdk-on-undici')

const script = fileURLToPath(new URL('clients/call.mjs', import.meta.url))
const server = await startServer(0)
try {
  const contenders = clients.map((name) => ({
    name,
    run: () => timeProcess([process.execPath, script, name, server.url, calls, parallel, built, aiSdk]),
  }))
  console.log(`${calls} calls, parallel ${parallel}, ${rounds} rounds, Node ${process.version}`)
  printTable(await alternate(contenders, Number(rounds)))
} finally {
  server.close()
}
