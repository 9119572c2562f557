/** Programs that send the same prompts to the same server. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { benchKey, measureProcess, repository } from './measure.mjs'
import { writeFiles } from './project.mjs'
import { round } from './rounds.mjs'
import { trivialCases } from './trivial-cases.mjs'

export const vivaCommand = [process.execPath, join(repository, 'bin/viva.js')]
export const withKey = { ...process.env, OPENAI_API_KEY: benchKey }

/** The floor of most ratios. */
export function bareUndici(server, { cases, calls = cases, parallel, turns = 1 }) {
  const script = join(repository, 'bench/floor-undici.mjs')
  const flags = Object.entries({ url: server.url, cases, parallel, turns }).map(
    ([name, value]) => `--${name}=${value}`,
  )
  return {
    name: 'bare undici',
    run: () =>
      watchTraffic(server, { calls, parallel }, () => measureProcess([process.execPath, script, ...flags])),
  }
}

/**
 * Trivial cases with one check each. `flags` are further flags of `viva test`, `runs` how often each case is run, `calls`
 * how many calls the server must see.
 */
export async function vivaTest(
  server,
  folder,
  { name = 'viva test', cases, parallel, runs = 1, calls = cases * runs, flags = [] },
) {
  const file = `${cases}.jsonl`
  await writeFiles(folder, { [file]: trivialCases(cases) })
  const input = ['-i', file, '-n', `openai:${server.url}#bench`]
  const test = [...input, '-o', 'x.jsonl', ...flags]
  return { name, input, run: () => runViva(server, folder, { calls, parallel }, test) }
}

/** Runs `viva test` in a folder. Results are best written to `x.jsonl`, which is removed before. */
export async function runViva(server, folder, { calls, parallel }, flags) {
  await forgetRuns(folder)
  const command = [...vivaCommand, 'test', ...flags]
  // Workers on a queue have a parallelism of their own.
  if (!flags.includes('--queue')) command.push('--parallel', String(parallel))
  return watchTraffic(server, { calls, parallel }, () =>
    measureProcess(command, { cwd: folder, env: withKey }),
  )
}

/** Neither results nor history of an earlier round may be found. */
export async function forgetRuns(folder) {
  for (const name of ['x.jsonl', '.viva']) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Adds how many slots were busy: the mean number of requests that the server had in flight, divided by `parallel`. A
 * contender that made more or fewer calls has not done the same work, and is an error.
 */
export async function watchTraffic(server, { calls, parallel }, run) {
  await server.takeTraffic()
  const measured = await run()
  const { requests, meanInFlight } = await server.takeTraffic()
  if (requests !== calls)
    throw Object.assign(new Error(`it made ${requests} calls instead of ${calls}`), {
      printed: measured.printed,
    })
  return { ...measured, slotsBusy: meanInFlight / parallel }
}

/** The first row is the floor of the others. */
export function withRatios(rows) {
  const [floor] = rows
  return rows.map((row) => (row.seconds ? { ...row, ratio: round(row.seconds / floor.seconds) } : row))
}
