import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { viva } from '../support/command.ts'
import { caseFile } from './fuzz-cases.ts'
import type { FuzzMessage } from './fuzz-worker.ts'
import { inParallel, type Part, type PartRun } from './part.ts'
import { withFolder } from './workspace.ts'

/** Reading one input for longer than this counts as a hang. */
const patienceMs = 30_000

export const fuzz: Part = {
  about: 'case files and response bodies with random mistakes, for --minutes; some with the built command',
  counts: { minutes: { short: 0.05, long: 10 }, commands: { short: 4, long: 100 } },
  async run(run) {
    await fuzzInThread(run)
    const files = fc.sample(caseFile, { seed: run.seed, numRuns: run.count('commands') })
    await inParallel(files, 2, (file) => fuzzCommand(run, file))
  },
}

async function fuzzInThread({ seed, count, card, progress }: PartRun): Promise<void> {
  const untilMs = Date.now() + count('minutes') * 60_000
  const runs = new Map<string, number>()
  let reading: unknown = 'nothing yet'
  let last = Date.now()
  let hangs = false
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), { workerData: { seed, untilMs } })
  worker.on('message', (message: FuzzMessage) => {
    last = Date.now()
    if (message.type === 'reading') reading = message
    if (message.type === 'broken') card.check('no input breaks a reader', false, brokenText(message))
    if (message.type !== 'slice') return
    runs.set(message.target, (runs.get(message.target) ?? 0) + message.runs)
    card.check('no input breaks a reader', true, '')
    progress([...runs].map(([target, number]) => `${number} ${target}`).join(', '))
  })
  const watch = setInterval(() => {
    hangs = Date.now() - last > patienceMs
    if (hangs) void worker.terminate()
  }, 1000)
  const uncaught = await new Promise<unknown>((resolve) => {
    worker.on('error', resolve)
    worker.on('exit', () => resolve(undefined))
  })
  clearInterval(watch)
  card.check('no input makes a reader hang', !hangs, `${patienceMs} ms: ${JSON.stringify(reading)}`)
  const said = uncaught instanceof Error ? `${uncaught.stack}\nreading ${JSON.stringify(reading)}` : ''
  card.check('no input causes an uncaught error', uncaught === undefined, said)
  for (const [target, number] of runs) card.figure(`${target} read`, number)
}

function brokenText({ target, input, error, seed }: Extract<FuzzMessage, { type: 'broken' }>): string {
  return `${target}: npm run faults -- fuzz --minutes 0.01 --seed ${seed}\n${JSON.stringify(input)}\n${error}`
}

/** Does the same with the built command, without any agent. */
async function fuzzCommand({ card }: PartRun, { name, text }: { name: string; text: string }): Promise<void> {
  const file = name === 'jsonl' ? 'x.jsonl' : `x.cases.${name}`
  await withFolder({ [file]: text, 'agent.mjs': 'export default (input) => input\n' }, async (cwd) => {
    const { exitCode, stderr } = await viva(['test', '-i', file, '-n', './agent.mjs', '--dry-run'], { cwd })
    const isClear = (exitCode === 0 || exitCode === 2) && !/bug in viva|^\s+at .*:\d+:\d+\)?$/m.test(stderr)
    return card.check(
      'the command says what is wrong with the file',
      isClear,
      `${join(cwd, file)}: exit code ${exitCode}\n${stderr}`,
    )
  })
}
