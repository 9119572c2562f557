/**
 * The cost of a separate process per case, for agents with tools of a stateful MCP server.
 *
 *   npm run build && node bench/mcp-servers.mjs [--cases 64] [--parallel 8] [--latency 500] [--rounds 3]
 *
 * Each case asks a model twice, with a tool call in between. The baseline is one process that all cases share. CPU seconds
 * are those of viva and of all processes that it started.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { repository } from './measure.mjs'

if (isMainThread) await main()
else await serveModel()

/** A model that calls the tool once and then repeats its result. It runs in a thread, because the main one waits for the runs. */
async function serveModel() {
  const latency = Number(process.env.BENCH_LATENCY)
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { messages } = JSON.parse(Buffer.concat(chunks).toString())
    const last = messages.at(-1)
    const call = { id: 'call_1', type: 'function', function: { name: 'counter__add', arguments: '{}' } }
    const message =
      last.role === 'tool'
        ? { role: 'assistant', content: last.content }
        : { role: 'assistant', content: '', tool_calls: [call] }
    await wait(latency)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  parentPort.postMessage(`http://127.0.0.1:${server.address().port}/v1/`)
}

async function main() {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '64' },
      parallel: { type: 'string', default: '8' },
      latency: { type: 'string', default: '500' },
      rounds: { type: 'string', default: '3' },
    },
  })
  const model = new Worker(new URL(import.meta.url), {
    env: { ...process.env, BENCH_LATENCY: values.latency },
  })
  const host = await new Promise((resolve) => model.once('message', resolve))
  const contenders = {
    shared: { shared: true },
    'one per case': {},
    'reset between cases': { reset: 'reset' },
  }
  const folders = Object.entries(contenders).map(([name, more]) => [
    name,
    app(host, more, Number(values.cases)),
  ])
  const runs = new Map(folders.map(([name]) => [name, []]))
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, folder] of folders) runs.get(name).push(play(folder, values.parallel))
  const best = (name, key) => Math.min(...runs.get(name).map((run) => run[key]))
  const floor = { wall: best('shared', 'wall'), cpu: best('shared', 'cpu') }
  console.log(
    '| processes | wall s | to shared | CPU s | starts | CPU ms per start |\n| --- | --- | --- | --- | --- | --- |',
  )
  for (const [name] of folders) {
    const [wall, cpu, starts] = ['wall', 'cpu', 'starts'].map((key) => best(name, key))
    const each = starts > 1 ? (((cpu - floor.cpu) / (starts - 1)) * 1000).toFixed(0) : ''
    console.log(
      `| ${name} | ${wall.toFixed(2)} | ${(wall / floor.wall).toFixed(2)} | ${cpu.toFixed(2)} | ${starts} | ${each} |`,
    )
  }
  for (const [, folder] of folders) rmSync(folder, { recursive: true })
  await model.terminate()
}

function app(host, more, cases) {
  const folder = mkdtempSync(join(tmpdir(), 'viva-mcp-'))
  const files = {
    'app.yao': {},
    'connectors/m.conn.yao': { type: 'openai', options: { model: 'm', host, key: 'k', stream: false } },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'm', mcp: { servers: ['counter'] } },
    'mcps/counter.mcp.yao': {
      transport: 'stdio',
      command: process.execPath,
      arguments: [join(repository, 'test/fixtures/tools/counter.mjs')],
      env: { STARTS: 'starts.log' },
      ...more,
    },
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  const lines = Array.from({ length: cases }, (_, index) => JSON.stringify({ id: `c${index}`, input: 'add' }))
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`)
  return folder
}

function play(folder, parallel) {
  rmSync(join(folder, 'starts.log'), { force: true })
  const viva = `${process.execPath} ${join(repository, 'bin/viva.js')} test -i cases.jsonl -n desk --parallel ${parallel} -o x.jsonl`
  const { stderr, status } = spawnSync(
    'bash',
    ['-c', `TIMEFORMAT='%R %U %S'; time ${viva} >/dev/null 2>&1`],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`viva exited with ${status}`)
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return {
    wall,
    cpu: user + system,
    starts: readFileSync(join(folder, 'starts.log'), 'utf8').trim().split('\n').length,
  }
}
