import { InfrastructureError } from '../../errors.ts'
import { textOrJson } from '../../json/json.ts'
import { pluralize } from '../../text/counted.ts'
import { withoutDataMarks } from '../../text/data-mark.ts'
import { shorten } from '../../text/shorten.ts'
import type { Layer, RecordedCall, SeenCall, TapeCall } from '../tape.ts'
import { type Change, listChanges } from './changes.ts'

/** How many recorded requests are looked at, and how many changes of each: what is far away is no help. */
const mostCandidates = 50
const mostChanges = 30
const mostShown = 3

/** A call that is neither in the recording nor allowed to go out. */
export function notRecordedError(difference: string): InfrastructureError {
  return new InfrastructureError('not_recorded', `not in the recording: ${difference}`)
}

/** What tells a call from the nearest recorded one; those that were not taken yet come first. */
export function describeMissing(
  call: SeenCall,
  recorded: readonly RecordedCall[],
  left: ReadonlySet<RecordedCall>,
): string {
  const name = callName(call)
  const ofLayer = recorded.filter(({ layer }) => layer === call.layer)
  if (ofLayer.length === 0) return `${name}: this case was recorded without one`
  const waiting = ofLayer.filter((each) => left.has(each))
  const { changes } = nearest(call, waiting.length > 0 ? waiting : ofLayer)
  if (changes.length === 0 || (waiting.length === 0 && call.layer === 'simulator'))
    return `${name}: it was recorded ${times(ofLayer.length)} in this case, and this is one more`
  return `${name} differs from the nearest recorded one in ${describeChanges(changes)}`
}

/** The answer is that after a call which was not made again. */
export function describeSkipped(call: NamedCall, skipped: NamedCall): string {
  return `${callName(call)} was recorded after ${callName(skipped)}, which is not made now`
}

/** It looks at what was done, and something else was done now. */
export function describeStale(call: NamedCall): string {
  return `${callName(call)} was recorded after other calls than those that are made now`
}

type NamedCall = Pick<TapeCall, 'layer' | 'target'>

function callName({ layer, target }: NamedCall): string {
  return `the call of ${layerNames[layer]} (${shorten(target, 80)})`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function nearest(call: SeenCall, candidates: readonly RecordedCall[]): { changes: Change[] } {
  const compared = candidates.slice(0, mostCandidates).map((each) => {
    const isKnown = each.sees !== undefined && call.sees !== undefined
    const [before, now] = [each, call].map(({ target, request, depends, sees }) => ({
      target,
      request,
      depends,
      ...(isKnown && { sees }),
    }))
    return { changes: listChanges(before, now, mostChanges) }
  })
  return compared.sort((one, other) => one.changes.length - other.changes.length)[0] ?? { changes: [] }
}

function describeChanges(changes: readonly Change[]): string {
  const shown = changes.slice(0, mostShown).map(describeChange)
  const more = changes.length - shown.length
  const least = changes.length === mostChanges ? 'at least ' : ''
  return `${shown.join('; ')}${more > 0 ? `; and in ${least}${pluralize(more, 'other place')}` : ''}`
}

function describeChange({ path, recorded, now }: Change): string {
  if (path === 'depends') return 'the code that answers, or the contents of an attached file'
  if (path === 'sees')
    return 'the code that answers, or what else it can see: earlier messages, the user, metadata, headers, variables or memory'
  const place = path.replace(/^request\.?/, '') || 'the request'
  if (recorded === undefined) return `${place}: not recorded, now ${excerpt(now)}`
  if (now === undefined) return `${place}: recorded ${excerpt(recorded)}, now absent`
  // The marks of data differ with it, and come before what differs.
  const [before, after] = [withoutDataMarks(textOrJson(recorded)), withoutDataMarks(textOrJson(now))]
  const from = firstDifference(before, after)
  return `${place}: recorded ${excerpt(before, from)}, now ${excerpt(after, from)}`
}

const contextLength = 20
const excerptLength = 70

/** A text around the place where it differs. */
function excerpt(value: unknown, from = 0): string {
  const text = textOrJson(value)
  const start = from <= contextLength + 5 ? 0 : from - contextLength
  const cut = shorten(text.slice(start), excerptLength)
  return JSON.stringify(`${start > 0 ? '…' : ''}${cut}`)
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

const layerNames: Record<Layer, string> = {
  agent: 'the agent',
  model: 'the model',
  tools: 'a tool',
  simulator: 'the simulated user',
  judge: 'a judge',
  generator: 'a generator',
  script: 'a script',
}
