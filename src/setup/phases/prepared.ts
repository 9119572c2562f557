import type { CaseEntry } from '../../cases/entry.ts'
import type { Start } from '../phase.ts'
import type { AroundRun } from './around-run.ts'

interface BeforeAllNeeds extends Start {
  aroundRun: AroundRun
  cases: readonly CaseEntry[]
}

export const beforeAllPhase = {
  name: 'prepared',
  open: ({ aroundRun, cases, signal }: BeforeAllNeeds) => aroundRun.before(cases, signal),
} as const
