import { detectInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import {
  createRedaction,
  type Privacy,
  type RedactEvent,
  type Redaction,
  redactInOrder,
} from '../../privacy/redaction.ts'
import { type CaseResult, notRecorded } from '../../results/result.ts'
import type { CommandStart } from '../command-start.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** Keeps private data out of reports: masked fields, and conversations when they are not recorded. */
export interface RunPrivacy {
  redactEvent: RedactEvent
  /** For lines that belong to no case: redacts secrets and private data. */
  redactLine(text: string): string
  /** Masks that matched nothing, and may be misspelt. */
  unusedMasks(): readonly string[]
}

interface PrivacyNeeds extends CommandStart {
  settings: Settings
  secrets: Secrets
}

export const privacyPhase = {
  name: 'privacy',
  open({ settings, secrets, shell }: PrivacyNeeds): RunPrivacy {
    const { redactEvent, unusedMasks } = createPrivacy(settings, shell.cwd)
    return {
      redactEvent,
      redactLine(text) {
        const key = { file: '', id: '', variant: '', run: 1, attempt: 1 }
        const event = redactEvent({ type: 'log', key, text: secrets.redact()(text) })
        return event?.type === 'log' ? event.text : notRecorded
      },
      unusedMasks,
    }
  },
} as const

/** Whether anything beside secrets is kept out of reports. */
export function isPrivate({ transcripts, masks }: Privacy): boolean {
  return !transcripts || masks.length > 0
}

/** Throws `ConfigError` for masks that cannot be read. */
export function createPrivacy(privacy: Privacy, cwd: string): Redaction {
  const redaction = createRedaction(privacy)
  const steps = isPrivate(privacy) ? [dropMessage(cwd)] : []
  return { ...redaction, redactEvent: redactInOrder(redaction.redactEvent, ...steps) }
}

/** For a finished run: values masked in one of its results are redacted in earlier ones too. */
export async function redactSavedRun(
  privacy: Privacy,
  cwd: string,
  results: () => AsyncIterable<CaseResult>,
): Promise<RedactEvent> {
  const { redactEvent, learn } = createPrivacy(privacy, cwd)
  if (privacy.masks.length > 0) for await (const result of results()) learn({ type: 'case_finished', result })
  return redactEvent
}

/** A message that is sent with `-i` is part of the command, which is dropped then. */
function dropMessage(cwd: string): RedactEvent {
  return (event) => {
    if (event.type !== 'run_started') return event
    const { command, ...start } = event.start
    const hasMessage = command !== undefined && readInputs(command).some((input) => isMessage(input, cwd))
    return hasMessage ? { ...event, start } : event
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
function readInputs(command: string): string[] {
  const inputs: string[] = []
  const input = / -i ((?:'[^']*'|\\'|[^\s'\\])+)/y
  input.lastIndex = 'viva test'.length
  for (let found = input.exec(command); found !== null; found = input.exec(command))
    inputs.push(
      (found[1] ?? '').replace(/'([^']*)'|\\'/g, (quoted, words?: string) => words ?? quoted.slice(1)),
    )
  return inputs
}
