import { detectInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import {
  createRedaction,
  type Privacy,
  type RedactEvent,
  type Redaction,
  redactInOrder,
} from '../privacy/redaction.ts'
import { type CaseResult, notRecorded } from '../results/result.ts'

/** Whether anything beside secrets is kept out of reports. */
export function isPrivate({ transcripts, masks }: Privacy): boolean {
  return !transcripts || masks.length > 0
}

/** For a run as it goes on. */
export function concealFor(privacy: Privacy): RedactEvent & Pick<Redaction, 'unusedMasks'> {
  const { conceal, redaction } = concealing(privacy)
  return Object.assign(conceal, { unusedMasks: redaction.unusedMasks })
}

/** For lines that belong to no case: what scripts around a run print, what went wrong. */
export function concealLine(conceal: RedactEvent, text: string): string {
  const key = { file: '', id: '', variant: '', run: 1, attempt: 1 }
  const told = conceal({ type: 'log', key, text })
  return told?.type === 'log' ? told.text : notRecorded
}

/** For a run that is over: what is masked in one of its results is hidden in those before it too. */
export async function concealSaved(
  privacy: Privacy,
  results: () => AsyncIterable<CaseResult>,
): Promise<RedactEvent> {
  const { conceal, redaction } = concealing(privacy)
  if (privacy.masks.length > 0)
    for await (const result of results()) redaction.learn({ type: 'case_finished', result })
  return conceal
}

function concealing(privacy: Privacy): { conceal: RedactEvent; redaction: Redaction } {
  const redaction = createRedaction(privacy)
  const conceal = redactInOrder(redaction.redactEvent, ...(isPrivate(privacy) ? [withoutMessage] : []))
  return { conceal, redaction }
}

/** What is sent as a message stands in the command, too. */
const withoutMessage: RedactEvent = (event) => {
  if (event.type !== 'run_started') return event
  const { command, ...start } = event.start
  return command !== undefined && inputsOf(command).some(isMessage) ? { ...event, start } : event
}

function isMessage(input: string): boolean {
  try {
    return detectInput(input, process.cwd()).kind === 'message'
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
