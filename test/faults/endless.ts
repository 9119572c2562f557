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

/** The limit of each case. On a machine that others use too, a case needs longer to come to what never ends. */
const limitMs = { long: 1000, short: 2000 }
/** What may pass beyond it. */
const graceMs = 1000
/** After this the rig ends the command itself. */
const patienceMs = 40_000

type Card = PartRun['card']

export const endless: Part = {
  about:
    'servers, agents, scripts, tools and tests that never end; the long form measures when, and checks who is blamed',
  counts: {},
  async run(run) {
    // Measured, each has the machine for itself.
    await inParallel(Object.entries(endlessGroups(run.server)), run.long ? 1 : 2, async ([name, group]) => {
      run.progress(name)
      await playGroup(run, name, group)
    })
  },
}

async function playGroup({ long, card }: PartRun, name: string, group: EndlessGroup): Promise<void> {
  await withFolder(group.files, async (cwd) => {
    const input = 'cases.jsonl' in group.files ? ['-i', 'cases.jsonl'] : []
    const limits = ['--timeout', `${limitMs[long ? 'long' : 'short']}ms`, '--parallel', long ? '1' : '4']
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
      card.check('what never ends is never green', isCode, `${where}: exit code ${exitCode}\n${stderr}`),
      card.check('what a case started is gone afterwards', left.length === 0, `${where}: processes ${left}`),
      ...expected.map(([id]) => checkFailed(card, where, watched, id)),
    ]
    // Whose time is over depends on the load of the machine, which the long form has for itself.
    if (long)
      kept.push(
        ...expected.map(([id, blame]) => checkBlame(card, where, watched, id, blame)),
        ...checkTimes(card, where, watched, atEnd),
      )
    return kept.every(Boolean)
  })
}

function checkFailed(card: Card, where: string, watched: readonly WatchedPlay[], id: string): boolean {
  const lines = linesOf(watched, id)
  const isRight = lines.length > 0 && lines.every((line) => line !== undefined && line.status !== 'passed')
  const got = lines.map((line) => line?.status).join(', ')
  return card.check('what never ends has a result, and has not passed', isRight, `${where}: ${id}: ${got}`)
}

function checkBlame(
  card: Card,
  where: string,
  watched: readonly WatchedPlay[],
  id: string,
  expected: string,
): boolean {
  const lines = linesOf(watched, id)
  const got = lines.map((line) => `${line?.error_kind} ${line?.fault}`)
  const isRight = got.every((outcome) => outcome === expected)
  const said = `${where}: ${id}: ${got.join(', ')}, not ${expected}: ${lines[0]?.error}`
  return card.check('what never ends is ended as what it is', isRight, said)
}

function linesOf(watched: readonly WatchedPlay[], id: string): (Line | undefined)[] {
  return watched.filter((play) => play.id === id).map(({ line }) => line)
}

interface WatchedPlay {
  id: string
  variant: unknown
  startedAt: number
  endedAt?: number
  line?: Line
}

/** When each case began and ended, as whoever reads the events sees it. */
function watch(child: ChildProcess): WatchedPlay[] {
  const plays: WatchedPlay[] = []
  if (child.stdout === null) return plays
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (!/"type":"case_(started|finished)"/.test(text)) return
    const line = JSON.parse(text) as Line
    const open = plays.find((play) => play.id === line.id && play.variant === line.variant)
    // One that is begun anew has no more time for that.
    if (open === undefined)
      plays.push({ id: String(line.id), variant: line.variant, startedAt: performance.now() })
    else if (line.type === 'case_finished') Object.assign(open, { line, endedAt: performance.now() })
  })
  return plays
}

function checkTimes(card: Card, where: string, watched: readonly WatchedPlay[], atEnd: number): boolean[] {
  const late = watched.map(
    ({ startedAt, endedAt = Number.POSITIVE_INFINITY }) => endedAt - startedAt - limitMs.long,
  )
  const worst = Math.round(Math.max(...late, Number(card.figures.get('latest, ms after its limit') ?? 0)))
  card.figure('latest, ms after its limit', worst)
  const afterLast = atEnd - Math.max(...watched.map(({ endedAt = 0 }) => endedAt))
  return [
    ...late.map((ms, index) =>
      card.check(
        'what never ends is ended within its limit + 1 s',
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

/** Processes are given a moment to be gone. */
async function stillAlive(cwd: string): Promise<number[]> {
  const path = join(cwd, 'pids')
  const pids = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').map(Number) : []
  for (let look = 0; look < 20 && pids.some(isAlive); look += 1) await wait(100)
  const left = pids.filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left
}
