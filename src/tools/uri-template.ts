/**
 * Reads the values of a template's `{names}` from a URI, as written there; undefined when it does not match. The last
 * name takes the rest, other names end where the text after them first appears.
 */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  const { literals, names } = splitTemplate(template)
  const [first = '', ...others] = literals
  const last = others.pop()
  if (last === undefined) return uri === template ? {} : undefined
  const end = uri.length - last.length
  if (!uri.startsWith(first) || !uri.endsWith(last) || end < first.length) return undefined
  const values: string[] = []
  let at = first.length
  for (const literal of others) {
    const found = uri.indexOf(literal, at)
    if (found === -1 || found + literal.length > end) return undefined
    values.push(uri.slice(at, found))
    at = found + literal.length
  }
  values.push(uri.slice(at, end))
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

/** Reads the parameters after the question mark, as written there. */
export function readQuery(uri: string): Record<string, string> {
  const mark = uri.indexOf('?')
  if (mark === -1) return {}
  const pairs = uri
    .slice(mark + 1)
    .split('&')
    .map((pair) => [pair, pair.indexOf('=')] as const)
  return Object.fromEntries(
    pairs.filter(([, at]) => at > 0).map(([pair, at]) => [pair.slice(0, at), pair.slice(at + 1)]),
  )
}

/** There is one literal more than there are names. */
function splitTemplate(template: string): { literals: string[]; names: string[] } {
  const parts = template.split(/\{([^{}]*)\}/)
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  }
}
