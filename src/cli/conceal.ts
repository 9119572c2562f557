import { type Conceal, concealAll } from '../reporters/conceal.ts'
import { createMasking, readMasks } from '../reporters/masks.ts'
import { withoutTranscripts } from '../reporters/without-transcripts.ts'

export interface Privacy {
  /** Whether what was said is recorded. */
  transcripts: boolean
  /** As they are written: fields and patterns. */
  masks: readonly string[]
}

export function concealFor({ masks, transcripts }: Privacy): Conceal {
  return concealAll(
    ...(masks.length === 0 ? [] : [createMasking(readMasks(masks))]),
    ...(transcripts ? [] : [withoutTranscripts]),
  )
}
