import { ConfigError, errorMessage, formatProblem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'

/** The headings of `viva doctor`, in this order. */
export const sections = ['Environment', 'Project', 'Agents', 'Models', 'Tools', 'Cases'] as const

/** One line of `viva doctor`. */
export interface DoctorFinding {
  section: (typeof sections)[number]
  status: 'ok' | 'warning' | 'error'
  text: string
  /** What to do about it. */
  hint?: string
}

/** Creates the findings of one section. */
export function findingsOf(section: DoctorFinding['section']) {
  const create = (status: DoctorFinding['status']) => (text: string, hint?: string) =>
    ({ section, status, text, ...defined({ hint }) }) satisfies DoctorFinding
  return { ok: create('ok'), warning: create('warning'), error: create('error') }
}

/** The mistakes that an error is about, one line each. */
export function describeErrors(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(describeErrors)
  if (error instanceof ConfigError) return error.problems.map(formatProblem)
  return [errorMessage(error)]
}
