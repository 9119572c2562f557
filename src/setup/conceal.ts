import { detectInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import { type Conceal, concealAll } from '../privacy/conceal.ts'
import { createMasking, type Masking } from '../privacy/masks.ts'
import { readMasks } from '../privacy/read-masks.ts'
import { withoutTranscripts } from '../privacy/without-transcripts.ts'
import { type CaseResult, notRecorded } from '../results/result.ts'

export interface Privacy {
  /** Whether what was said is recorded. */
  transcripts: boolean
  /** As they are written: fields and patterns. */
  masks: readonly string[]
}

/** Whether something is kept back. */
export function isPrivate({ transcripts, masks }: Privacy): boolean {
  return !transcripts || masks.length > 0
}

/** For a run as it goes on. */
export function concealFor(privacy: Privacy, cwd: string): Conceal & Pick<Masking, 'foundNothing'> {
  const { conceal, masking } = concealing(privacy, cwd)
  return Object.assign(conceal, { foundNothing: masking.foundNothing })
}

/** For lines that belong to no case: what scripts around a run print, what went wrong. */
export function concealLine(conceal: Conceal, text: string): string {
  const key = { file: '', id: '', variant: '', run: 1, attempt: 1 }
  const told = conceal({ type: 'log', key, text })
  return told?.type === 'log' ? told.text : notRecorded
}

/** For a run that is over: what is masked in one of its results is hidden in those before it too. */
export async function concealSaved(
  privacy: Privacy,
  cwd: string,
  results: () => AsyncIterable<CaseResult>,
): Promise<Conceal> {
  const { conceal, masking } = concealing(privacy, cwd)
  if (privacy.masks.length > 0)
    for await (const result of results()) masking.learn({ type: 'case_finished', result })
  return conceal
}

function concealing({ masks, transcripts }: Privacy, cwd: string): { conceal: Conceal; masking: Masking } {
  const masking = createMasking(readMasks(masks))
  const conceal = concealAll(
    ...(masks.length === 0 ? [] : [masking.conceal]),
    ...(transcripts ? [] : [withoutTranscripts]),
    ...(isPrivate({ masks, transcripts }) ? [withoutMessage(cwd)] : []),
  )
  return { conceal, masking }
}

/** What is sent as a message stands in the command, too. */
function withoutMessage(cwd: string): Conceal {
  return (event) => {
    if (event.type !== 'run_started') return event
    const { command, ...start } = event.start
    const isSaid = command !== undefined && inputsOf(command).some((input) => isMessage(input, cwd))
    return isSaid ? { ...event, start } : event
  }
}

function isMessage(input: string, cwd: string): boolean {
  try {
    return detectInput(input, cwd).kind === 'message'
  } catch (error) {
    // It looks like a path.
    return !(error instanceof ConfigError)
  }
}

/** The words after each `-i`, which come first, without their quotes. */
function inputsOf(command: string): string[] {
  const inputs: string[] = []
  const input = / -i ((?:'[^']*'|\\'|[^\s'\\])+)/y
  input.lastIndex = 'viva test'.length
  for (let found = input.exec(command); found !== null; found = input.exec(command))
    inputs.push(
      (found[1] ?? '').replace(/'([^']*)'|\\'/g, (quoted, words?: string) => words ?? quoted.slice(1)),
    )
  return inputs
}
