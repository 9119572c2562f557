import { ConfigError } from '../errors.ts'
import { nearestWords } from '../text/nearest.ts'
import type { CaseResult } from './result.ts'

/** Which result of a results file is meant. */
export interface ResultChoice {
  /** The results file, for messages. */
  from: string
  /** An id, a name, or `file:id`. */
  wanted: string
  variant?: string
  /** The number of the run, or which results are meant: the first of them, otherwise run 1. */
  run: number | ((result: CaseResult) => boolean)
}

/** The one result that is meant. Several, or none, are an error that lists the choices. */
export async function findResult(
  results: AsyncIterable<CaseResult>,
  { from, wanted, variant, run }: ResultChoice,
): Promise<CaseResult> {
  const known = new Set<string>()
  const byId: CaseResult[] = []
  const byName: CaseResult[] = []
  for await (const result of results) {
    const { file, id } = result.key
    known.add(id)
    if (wanted === id || wanted === `${file}:${id}`) byId.push(result)
    else if (wanted === result.name) byName.push(result)
  }
  const found = byId.length > 0 ? byId : byName
  if (found.length === 0) throw unknownCaseError(from, wanted, known)
  refuseSeveral(found, ({ key }) => `${key.file}:${key.id}`, wanted, 'name one of')
  const ofVariant = variant === undefined ? found : found.filter(({ key }) => key.variant === variant)
  const variants = listed(found, ({ key }) => key.variant)
  if (ofVariant.length === 0)
    throw notFoundError(`--variant ${variant}: ${wanted} has no result of it`, `there is ${variants}`)
  refuseSeveral(ofVariant, ({ key }) => key.variant, wanted, 'choose one with --variant:')
  const ordered = inOrder(ofVariant)
  const meant = typeof run === 'function' ? ordered.find(run) : undefined
  const number = typeof run === 'function' ? 1 : run
  const result = meant ?? ordered.find(({ key }) => key.run === number)
  if (result !== undefined) return result
  throw notFoundError(
    `${wanted} has no result of run ${number}`,
    `choose one with --run-number: ${listed(ordered, ({ key }) => String(key.run))}`,
  )
}

function refuseSeveral(
  results: readonly CaseResult[],
  what: (result: CaseResult) => string,
  wanted: string,
  hint: string,
): void {
  const choices = new Set(results.map(what))
  if (choices.size < 2) return
  throw new ConfigError({
    code: 'ambiguous_case',
    message: `${wanted} may be one of ${choices.size} results`,
    hint: `${hint} ${listed(results, what)}`,
  })
}

/** Of several at once, the last run may have finished first. */
function inOrder(results: readonly CaseResult[]): CaseResult[] {
  return results.toSorted((one, other) => one.key.run - other.key.run)
}

/** More would not be read. */
const mostListed = 20

function listed(results: readonly CaseResult[], what: (result: CaseResult) => string): string {
  const all = [...new Set(results.map(what))]
  const more = all.length - mostListed
  return `${all.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function unknownCaseError(from: string, wanted: string, known: ReadonlySet<string>): ConfigError {
  const nearest = nearestWords(wanted, known).slice(0, 3)
  const some = [...known].slice(0, 10).join(', ')
  const hint =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : `its cases are ${some}${known.size > 10 ? ' …' : ''}`
  return notFoundError(`${from} has no result of a case "${wanted}"`, known.size === 0 ? undefined : hint)
}

function notFoundError(message: string, hint: string | undefined): ConfigError {
  return new ConfigError({ code: 'unknown_case', message, ...(hint !== undefined && { hint }) })
}
