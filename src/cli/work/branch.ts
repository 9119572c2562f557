import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { oneLine } from '../../reporters/printable.ts'
import type { BranchRequest } from '../../setup/branch/recorded.ts'
import { appendCase } from '../../setup/branch/saved-case.ts'
import { branchRunSetup, branchSetup } from '../../setup/branch.ts'
import { isPrivate } from '../../setup/phases/privacy.ts'
import { play } from '../../setup/play.ts'
import type { Shell } from '../../system/shell.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { type GivenBranchFlags, ownBranchFlags } from '../branch-flags.ts'
import { close } from '../closing.ts'
import { commandText } from '../rerun.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { createStart } from './test.ts'

/** `viva branch results.jsonl T3 --turn 2` */
export function branchCommand(
  file: string,
  wanted: string,
  given: GivenBranchFlags,
  shell: Shell,
): Promise<number> {
  const branch = readBranchRequest(file, wanted, given)
  return untilInterrupted(shell, async (signal) => {
    const front = new TerminalFront(given, shell)
    const start = createStart({ ...given, verbose: true }, shell, front, signal)
    return branchSetup.use({ ...start, branch }, async (opened) => {
      const command = branchText(branch, given, isPrivate(opened.settings))
      const played = await branchRunSetup.use(opened, (ready) => play(ready, command))
      const exitCode = close(played, front, { isRecorded: false, isResumable: false })
      await save(played.branched, front)
      return exitCode
    })
  })
}

function readBranchRequest(file: string, wanted: string, given: GivenBranchFlags): BranchRequest {
  const { turn, say = [], variant, runNumber, save } = given
  const problem = (message: string) => new ConfigError({ code: 'bad_flag', message })
  for (const name of ['turn', 'runNumber'] as const) {
    const value = given[name]
    const wrong = value === undefined ? undefined : ownBranchFlags[name].problem(value)
    if (wrong !== undefined) throw problem(`--${name === 'turn' ? 'turn' : 'run-number'} ${value}: ${wrong}`)
  }
  if (say.some((text) => text.trim() === '')) throw problem('--say: the message is empty')
  for (const flag of ['name', 'connector'] as const)
    if (Array.isArray(given[flag]) && given[flag].length > 1)
      throw problem(`--${flag}: one agent goes on with a conversation, not several`)
  return {
    file,
    wanted,
    run: Number(runNumber ?? 1),
    says: say,
    ...defined({ variant, save, turn: turn === undefined ? undefined : Number(turn) }),
  }
}

/** The command as a shell takes it. What is private is left out. */
function branchText(
  { file, wanted, turn, says }: BranchRequest,
  given: GivenBranchFlags,
  isPrivate: boolean,
): string {
  const said = isPrivate ? [] : says.map((text) => `--say ${shellQuote(text)}`)
  return [commandText(given, 'branch'), shellQuote(file), shellQuote(wanted), `--turn ${turn}`, ...said].join(
    ' ',
  )
}

type Branched = Parameters<Parameters<typeof branchSetup.use>[1]>[0]['branched']

/** Adds the branch to a case file once it was played, whether it passed or not. */
async function save({ target, write, result }: Branched, front: TerminalFront): Promise<void> {
  if (target === undefined || result === undefined) return
  const { print, pen } = front.terminal
  if (result.status === 'interrupted' || result.status === 'not_run') return
  const typed = result.view.turns.filter(({ source }) => source === 'human')
  const id = await appendCase(target, write(typed.map(({ input }) => String(input.value))))
  print(pen.dim(pen.line`  Saved: ${oneLine(id)} in ${oneLine(target.shown)}`))
}
