import { adopt, type DataPlace, type Evaluation, fault, include, type Keyword } from './keyword.ts'

/** A list of schemas, by all of which the value is judged. */
function branches(
  judge: (outcomes: Evaluation[], place: DataPlace | undefined, into: Evaluation) => void,
): Keyword {
  return (operand, context) => {
    if (!Array.isArray(operand) || operand.length === 0) return context.problem('must be a list of schemas')
    const all = operand.map((schema, index) => context.subschema(schema, index))
    return (data, place, into) => {
      const outcomes = all.map((branch) => branch.evaluate(data, place))
      judge(outcomes, place, into)
    }
  }
}

const allOf = branches((outcomes, _place, into) => {
  for (const outcome of outcomes) include(into, outcome)
})

const anyOf = branches((outcomes, place, into) => {
  const matching = outcomes.filter(({ faults }) => faults.length === 0)
  for (const outcome of matching) adopt(into, outcome)
  if (matching.length === 0) noneMatches('anyOf', outcomes, place, into)
})

const oneOf = branches((outcomes, place, into) => {
  const matching = outcomes.flatMap((outcome, index) =>
    outcome.faults.length === 0 ? [{ outcome, index }] : [],
  )
  const [first, second] = matching
  if (first === undefined) noneMatches('oneOf', outcomes, place, into)
  else if (second === undefined) adopt(into, first.outcome)
  else fault(into, place, `must match one schema of "oneOf", matches ${first.index} and ${second.index}`)
})

/** Reports the form that matches best: the one whose faults are deepest. */
function noneMatches(
  keyword: string,
  outcomes: Evaluation[],
  place: DataPlace | undefined,
  into: Evaluation,
): void {
  const depths = outcomes.map(faultDepth)
  const deepest = Math.max(...depths)
  const nearest = outcomes[depths.indexOf(deepest)]
  const isAlone = depths.filter((depth) => depth === deepest).length === 1
  if (nearest !== undefined && isAlone && deepest > Math.min(...depths)) {
    include(into, { ...nearest, keys: new Set(), items: new Set() })
    return
  }
  const messages = [...new Set(outcomes.flatMap(({ faults }) => faults[0]?.message ?? []))]
  const rest = messages.length > 3 ? ', …' : ''
  fault(into, place, `matches none of "${keyword}" (${messages.slice(0, 3).join('; ')}${rest})`)
}

function faultDepth({ faults }: Evaluation): number {
  return faults.reduce((least, { path }) => Math.min(least, path.length), Number.POSITIVE_INFINITY)
}

const not: Keyword = (operand, context) => {
  const unwanted = context.subschema(operand)
  return (data, place, into) => {
    if (unwanted.evaluate(data, place).faults.length === 0) fault(into, place, 'must not match "not"')
  }
}

const condition: Keyword = (operand, context) => {
  const when = context.subschema(operand)
  const branch = (key: 'then' | 'else') =>
    context.schema[key] === undefined ? undefined : context.sibling(key)
  const whenTrue = branch('then')
  const whenFalse = branch('else')
  return (data, place, into) => {
    const outcome = when.evaluate(data, place)
    const holds = outcome.faults.length === 0
    if (holds) adopt(into, outcome)
    const next = holds ? whenTrue : whenFalse
    if (next !== undefined) include(into, next.evaluate(data, place))
  }
}

const reference: Keyword = (operand, context) => {
  if (typeof operand !== 'string') return context.problem('must be a reference, like "#/$defs/name"')
  const target = context.reference(operand)
  return target && ((data, place, into) => include(into, target.evaluate(data, place)))
}

/** These are read by `if`; without it they are checked but have no effect. */
const conditional: Keyword = (operand, context) => {
  context.subschema(operand)
  return undefined
}

const unsupported: Keyword = (_operand, { problem }) => problem('is not supported: use "$ref"')

export const logicKeywords: Record<string, Keyword> = {
  $ref: reference,
  $dynamicRef: unsupported,
  $recursiveRef: unsupported,
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  ...Object.fromEntries(['then', 'else'].map((keyword) => [keyword, conditional])),
}
