/** The cost of one chat completion with different clients, each in its own process: why viva has its own client. */
import { join } from 'node:path'
import { build } from 'tsdown'
import { watchTraffic, withKey, withRatios } from '../contenders.mjs'
import { measureProcess, repository, startServer } from '../measure.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

const { seconds, ratio, cpu, peakMb } = columnOf
export const columns = [
  ['client', ({ name }) => name],
  ['calls', ({ calls }) => count(calls)],
  seconds,
  ratio,
  cpu,
  peakMb,
]

const clients = {
  'bare undici': 'undici',
  'ours, not streamed': 'viva-whole',
  'ours, streamed': 'viva-streamed',
  'built-in `fetch`': 'fetch',
  '`@ai-sdk/openai-compatible` 2.0.87 `doGenerate`': 'ai-sdk-whole',
  'the same with a `fetch` based on undici': 'ai-sdk-on-undici',
  '`@ai-sdk/openai-compatible` `doStream`': 'ai-sdk-streamed',
}

// In node_modules, so that the built files find undici and git ignores them.
const built = join(repository, 'node_modules/.cache/viva-bench')

export async function measure({ size, rounds }) {
  const calls = size(10_000, 500)
  const parallel = 16
  await buildClient()
  const server = await startServer(0)
  try {
    const script = join(repository, 'bench/clients/call.mjs')
    const contenders = Object.entries(clients).map(([name, client]) => ({
      name,
      run: () =>
        watchTraffic(server, { calls, parallel }, () =>
          measureProcess(
            [process.execPath, script, client, server.url, String(calls), String(parallel), built],
            {
              env: withKey,
            },
          ),
        ),
    }))
    const rows = withRatios(await measureInTurn(contenders, rounds))
    return rows.map((row) => ({ calls, ...row }))
  } finally {
    await server.close()
  }
}

/** The client is not part of the public library, so it is built separately. */
async function buildClient() {
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
}
