import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ended, startViva } from '../support/command.ts'
import { jsonl } from '../support/lines.ts'
import { caseId, expectedStatus, finishedIn, readJournal, recount, shownIds, suite } from './crash-suite.ts'
import { inParallel, type Part, type PartRun, type Scorecard } from './part.ts'
import { createRandom, type Random } from './random.ts'
import type { FaultServer } from './server.ts'
import { withFolder } from './workspace.ts'

type Signal = 'SIGKILL' | 'SIGINT' | 'SIGTERM'

interface Round {
  /** The count that this round belongs to. */
  kind: string
  signal: Signal
  /** How often the run is interrupted before it may finish. */
  times: number
  /** The seed that repeats only this round. */
  seed: number
}

/** Two, because they share the cores with the server of the rig. */
const atOnce = 2
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGKILL: undefined }

export const crash: Part = {
  about: 'kill -9, SIGINT and SIGTERM at random moments, then --resume',
  counts: {
    kills: { short: 3, long: 1000 },
    interrupts: { short: 1, long: 200 },
    terminations: { short: 1, long: 200 },
    chains: { short: 1, long: 50 },
  },
  async run(run) {
    const rounds = createRounds(run)
    let done = 0
    await inParallel(rounds, atOnce, async (round) => {
      await playRound(run, round)
      done += 1
      run.progress(`round ${done} of ${rounds.length}`)
    })
  },
}

function createRounds({ seed, count }: PartRun): Round[] {
  const rounds = (kind: string, signal: Signal, times = 1): Round[] =>
    Array.from({ length: count(kind) }, (_, index) => ({
      kind,
      signal,
      times,
      seed: seed + index,
    }))
  return [
    ...rounds('chains', 'SIGKILL', 5),
    ...rounds('kills', 'SIGKILL'),
    ...rounds('interrupts', 'SIGINT'),
    ...rounds('terminations', 'SIGTERM'),
  ]
}

/** One run that is interrupted and resumed until it may finish. */
async function playRound({ server, card }: PartRun, round: Round): Promise<void> {
  const random = createRandom(round.seed)
  const isMixed = random() < 0.5
  const name = `${round.kind} ${round.seed}`
  await withFolder({ 'cases.jsonl': jsonl(...suite(name, isMixed)) }, async (cwd) => {
    const play = new Play(card, server, `${repeat(round)} (files: ${cwd})`, name, cwd)
    for (let time = 0; time < round.times; time += 1) await play.untilEnded(round.signal, random)
    await play.toTheEnd(isMixed)
    return play.isKept
  })
}

/** The command that repeats only this round. */
function repeat({ kind, seed }: Round): string {
  return `npm run faults -- crash --${kind} 1 --seed ${seed}`
}

/** Waits until the command has reported that many results. */
function untilShown(child: ChildProcess, asJson: boolean, count: number): Promise<void> {
  let said = ''
  return new Promise((resolve) => {
    child.stdout?.on('data', (text: string) => {
      said += text
      if (shownIds(said, asJson).length >= count) resolve()
    })
  })
}

class Play {
  isKept = true
  readonly #path: string

  constructor(
    readonly card: Scorecard,
    readonly server: FaultServer,
    readonly where: string,
    readonly name: string,
    readonly cwd: string,
  ) {
    this.#path = join(cwd, 'x.jsonl')
  }

  async untilEnded(signal: Signal, random: Random): Promise<void> {
    const asJson = random() < 0.5
    const before = finishedIn(this.#path)
    const asked = this.server.log.length
    const child = this.#start(asJson ? ['--json'] : [])
    const gone = ended(child)
    const rest = suite('', false).length - before.size
    // Most of the time it is interrupted while cases run, otherwise at any moment.
    if (random() < 0.8) await Promise.race([untilShown(child, asJson, Math.floor(random() * rest)), gone])
    else await Promise.race([wait(random() * 800), gone])
    await wait(random() * 15)
    child.kill(signal)
    const { exitCode, stdout, stderr } = await gone
    const lines = readJournal(this.#path)
    this.#countMidRun()
    const kept = new Set(lines.filter(({ type }) => type === 'result').map(({ id }) => String(id)))
    const lost = shownIds(stdout, asJson).filter((id) => !kept.has(id))
    this.#check('no reported result is lost', lost.length === 0, `lost: ${lost}`)
    this.#checkAsked(before, asked, stderr)
    if (signal === 'SIGKILL') return
    const isWhole =
      lines.at(-1)?.type === 'summary' && finishedIn(this.#path).size === suite('', false).length
    const said = `${signal} gave exit code ${exitCode}: ${stderr}`
    this.#check('an interrupted run never exits with 0', exitCode !== 0 || isWhole, said)
    const isNamed = exitCode === null || exitCode === exitCodes[signal] || isWhole
    this.#check('the exit code of an interrupted run names the signal', isNamed, said)
  }

  async toTheEnd(isMixed: boolean): Promise<void> {
    const before = finishedIn(this.#path)
    const asked = this.server.log.length
    const { exitCode, stderr } = await ended(this.#start([]))
    this.#check(
      'an interrupted run can be resumed',
      exitCode === (isMixed ? 1 : 0),
      `exit code ${exitCode}: ${stderr}`,
    )
    const rest = this.#checkAsked(before, asked, stderr)
    const wanted = suite('', false).length - before.size
    this.#check('--resume runs all missing cases', rest.size === wanted, `${rest.size}, not ${wanted}`)
    const lines = readJournal(this.#path)
    const { counted, told } = recount(lines)
    this.#check('the summary equals a recount of the lines', counted === told, `${told}\nnot ${counted}`)
    const wrong = suite('', isMixed).filter(
      ({ id }, index) => lines.findLast((line) => line.id === id)?.status !== expectedStatus(index, isMixed),
    )
    this.#check(
      'every result is the same as without the kill',
      wrong.length === 0,
      `wrong: ${wrong.map(({ id }) => id)}`,
    )
  }

  /** Counts the interruptions that left some but not all results. */
  #countMidRun(): void {
    const { size } = finishedIn(this.#path)
    const isMidRun = size > 0 && size < suite('', false).length
    const name = 'interrupted with some of the results'
    this.card.figure(name, Number(this.card.figures.get(name) ?? 0) + (isMidRun ? 1 : 0))
  }

  #start(flags: string[]) {
    const file = existsSync(this.#path) ? ['--resume', 'x.jsonl'] : ['-o', 'x.jsonl']
    const agent = `openai:${this.server.url}#m`
    const args = ['test', '-i', 'cases.jsonl', '-n', agent, '--parallel', '4', ...file, ...flags]
    return startViva(args, { cwd: this.cwd })
  }

  /** Returns the cases that were requested since. */
  #checkAsked(before: ReadonlySet<string>, since: number, stderr: string): Set<string> {
    const texts = this.server.log.slice(since).filter(({ text }) => text.startsWith(`${this.name}:`))
    const ids = new Set(texts.map(({ text }) => caseId(text)))
    const again = [...ids].filter((id) => before.has(id))
    this.#check('--resume runs only missing cases', again.length === 0, `ran again: ${again}: ${stderr}`)
    return ids
  }

  #check(promise: string, kept: boolean, detail: string): void {
    const isKept = this.card.check(promise, kept, `${this.where}: ${detail}`)
    this.isKept &&= isKept
  }
}
