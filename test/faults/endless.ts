import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { ended, startViva } from '../support/command.ts'
import type { Line } from '../support/lines.ts'
import { isAlive } from '../support/processes.ts'
import { type EndlessGroup, endlessGroups } from './endless-groups.ts'
import { inParallel, type Part, type PartRun } from './part.ts'
import { withFolder } from './workspace.ts'

/** The time limit of each case. */
const limitMs = 1000
/** How much later a case may end. */
const graceMs = 1000
/** After this time the rig kills the command. */
const patienceMs = 40_000

type Card = PartRun['card']

export const endless: Part = {
  about:
    'servers, agents, scripts, tools and tests that never end; the long form measures when, and checks who is blamed',
  counts: {},
  async run(run) {
    // For measurements, each has the machine for itself.
    await inParallel(Object.entries(endlessGroups(run.server)), run.long ? 1 : 2, async ([name, group]) => {
      run.progress(name)
      await playGroup(run, name, group)
    })
  },
}

async function playGroup({ long, card }: PartRun, name: string, group: EndlessGroup): Promise<void> {
  await withFolder(group.files, async (cwd) => {
    const input = 'cases.jsonl' in group.files ? ['-i', 'cases.jsonl'] : []
    const limits = ['--timeout', `${limitMs}ms`, '--parallel', long ? '1' : '4']
    const args = ['test', ...input, ...group.args, '--json', '-o', 'x.jsonl', ...limits]
    const child = startViva(args, { cwd })
    const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const watched = watch(child)
    const { exitCode, stderr } = await ended(child)
    clearTimeout(patience)
    const atEnd = performance.now()
    const where = `${name} in ${cwd}: viva ${args.join(' ')}`
    const isCode = exitCode === 1 || exitCode === 3
    const left = await stillAlive(cwd)
    const expected = Object.entries(group.expected)
    const kept = [
      card.check('an endless case never exits with 0', isCode, `${where}: exit code ${exitCode}\n${stderr}`),
      card.check('no process of a case is left afterwards', left.length === 0, `${where}: processes ${left}`),
      ...expected.map(([id]) => checkFailed(card, where, watched, id)),
    ]
    // Which time limit is hit depends on the load of the machine, so only the long form checks it.
    if (long)
      kept.push(
        ...expected.map(([id, blame]) => checkBlame(card, where, watched, id, blame)),
        ...checkTimes(card, where, watched, atEnd),
      )
    return kept.every(Boolean)
  })
}

function checkFailed(card: Card, where: string, watched: readonly WatchedPlay[], id: string): boolean {
  const lines = findLines(watched, id)
  const isRight = lines.length > 0 && lines.every((line) => line !== undefined && line.status !== 'passed')
  const got = lines.map((line) => line?.status).join(', ')
  return card.check('an endless case has a result and has not passed', isRight, `${where}: ${id}: ${got}`)
}

function checkBlame(
  card: Card,
  where: string,
  watched: readonly WatchedPlay[],
  id: string,
  expected: string,
): boolean {
  const lines = findLines(watched, id)
  const got = lines.map((line) => `${line?.error_kind} ${line?.fault}`)
  const isRight = got.every((outcome) => outcome === expected)
  const said = `${where}: ${id}: ${got.join(', ')}, not ${expected}: ${lines[0]?.error}`
  return card.check('an endless case is reported as what it is', isRight, said)
}

function findLines(watched: readonly WatchedPlay[], id: string): (Line | undefined)[] {
  return watched.filter((play) => play.id === id).map(({ line }) => line)
}

interface WatchedPlay {
  id: string
  variant: unknown
  startedAt: number
  endedAt?: number
  line?: Line
}

/** When each case started and ended, according to the events. */
function watch(child: ChildProcess): WatchedPlay[] {
  const plays: WatchedPlay[] = []
  if (child.stdout === null) return plays
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (!/"type":"case_(started|finished)"/.test(text)) return
    const line = JSON.parse(text) as Line
    const open = plays.find((play) => play.id === line.id && play.variant === line.variant)
    // A retry does not get more time.
    if (open === undefined)
      plays.push({ id: String(line.id), variant: line.variant, startedAt: performance.now() })
    else if (line.type === 'case_finished') Object.assign(open, { line, endedAt: performance.now() })
  })
  return plays
}

function checkTimes(card: Card, where: string, watched: readonly WatchedPlay[], atEnd: number): boolean[] {
  const late = watched.map(
    ({ startedAt, endedAt = Number.POSITIVE_INFINITY }) => endedAt - startedAt - limitMs,
  )
  const worst = Math.round(Math.max(...late, Number(card.figures.get('latest, ms after its limit') ?? 0)))
  card.figure('latest, ms after its limit', worst)
  const afterLast = atEnd - Math.max(...watched.map(({ endedAt = 0 }) => endedAt))
  return [
    ...late.map((ms, index) =>
      card.check(
        'an endless case ends within its limit + 1 s',
        ms <= graceMs,
        `${where}: ${watched[index]?.id}: ${Math.round(ms)} ms after its limit`,
      ),
    ),
    card.check(
      'the command ends within 1 s of its last result',
      afterLast <= graceMs,
      `${where}: ${Math.round(afterLast)} ms`,
    ),
  ]
}

/** Gives processes a moment to end. */
async function stillAlive(cwd: string): Promise<number[]> {
  const path = join(cwd, 'pids')
  const pids = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').map(Number) : []
  for (let look = 0; look < 20 && pids.some(isAlive); look += 1) await wait(100)
  const left = pids.filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left
}
