import type { Operator } from '../operator.ts'
import { argumentWrong } from './argument-wrong.ts'
import { dateChanged } from './date-changed.ts'
import { destructiveCall } from './destructive-call.ts'
import { empty } from './empty.ts'
import { jsonTruncated } from './json-truncated.ts'
import { nameChanged } from './name-changed.ts'
import { negationChanged } from './negation-changed.ts'
import { numberChanged } from './number-changed.ts'
import { otherCase } from './other-case.ts'
import { promptLeaked } from './prompt-leaked.ts'
import { refusal } from './refusal.ts'
import { sentenceDropped } from './sentence-dropped.ts'
import { toolDoubled } from './tool-doubled.ts'
import { toolDropped } from './tool-dropped.ts'
import { toolRenamed } from './tool-renamed.ts'
import { toolsReordered } from './tools-reordered.ts'

/** The one list of operators. */
export const operators: readonly Operator[] = [
  toolDropped,
  toolDoubled,
  toolsReordered,
  toolRenamed,
  argumentWrong,
  destructiveCall,
  numberChanged,
  dateChanged,
  nameChanged,
  negationChanged,
  sentenceDropped,
  refusal,
  empty,
  promptLeaked,
  jsonTruncated,
  otherCase,
]
