import type { RunEvent } from '../results/run-event.ts'
import { parseMasks } from './masks/parse-masks.ts'
import { createMaskRedaction, type MaskRedaction } from './masks.ts'
import type { Redactor } from './redact.ts'
import { redactEvent } from './redact-event.ts'
import { redactTranscripts } from './transcripts.ts'

/**
 * What is kept out of reports, journal and terminal. Every event passes through these steps before anyone sees it:
 *
 * 1. `secrets.ts`: values that are known to be secret are replaced, wherever they occur.
 * 2. `masks.ts`: fields and patterns that the user named (`--mask`) are replaced, and from then on their values too.
 * 3. `transcripts.ts`: with `--no-transcripts`, whatever was said is dropped.
 */
export type RedactEvent = (event: RunEvent) => RunEvent | undefined

/** What the user wants to keep out of reports, beside secrets. */
export interface Privacy {
  /** Whether what was said is recorded. */
  transcripts: boolean
  /** Fields and patterns, as the user wrote them. */
  masks: readonly string[]
}

/** Redacts events as the user asked for; undefined when nothing of an event may be shown. */
export interface Redaction extends Pick<MaskRedaction, 'learn' | 'unusedMasks'> {
  redactEvent: RedactEvent
}

export function createRedaction({ masks, transcripts }: Privacy): Redaction {
  const { redactEvent, learn, unusedMasks } = createMaskRedaction(parseMasks(masks))
  const steps = [...(masks.length === 0 ? [] : [redactEvent]), ...(transcripts ? [] : [redactTranscripts])]
  return { redactEvent: redactInOrder(...steps), learn, unusedMasks }
}

/** Secrets are looked up for every event: more of them become known during a run. */
export function redactSecrets(secrets: () => Redactor): RedactEvent {
  return (event) => redactEvent(event, secrets())
}

/** One step after the other, until nothing is left. */
export function redactInOrder(...steps: readonly RedactEvent[]): RedactEvent {
  return (event) => {
    let rest: RunEvent | undefined = event
    for (const step of steps) rest = rest && step(rest)
    return rest
  }
}
