import { answers } from './answers.ts'
import { badCases } from './bad-cases.ts'
import { canary } from './canary.ts'
import { crash } from './crash.ts'
import { endless } from './endless.ts'
import { fuzz } from './fuzz.ts'
import { load } from './load.ts'
import type { Part } from './part.ts'
import { payloadsPart } from './payloads.ts'
import { workers } from './workers.ts'

/** The parts of the rig, by the name that `npm run faults` takes. */
export const parts: Record<string, Part> = {
  answers,
  crash,
  load,
  endless,
  'bad-cases': badCases,
  payloads: payloadsPart,
  canary,
  fuzz,
  workers,
}
