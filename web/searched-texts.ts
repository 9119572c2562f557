/** Fields of results, turns and checks with words of viva's own, which nobody searches for. */
const vivaFields = new Set([
  'type',
  'status',
  'mode',
  'variant',
  'connector',
  'fault',
  'error_kind',
  'case_hash',
  'given_hash',
  'started_at',
  'input_source',
  'awaiting_reason',
  'finish_reason',
  'role',
  'format',
])

/** Fields that are data: everything in them comes from the conversation or the case. */
const dataFields = new Set([
  'input',
  'output',
  'content',
  'args',
  'result',
  'expected',
  'actual',
  'value',
  'details',
])

/** Every text in a result that comes from the conversation or the case. */
export function searchedTexts(result: object): string[] {
  const texts: string[] = []
  const open: { value: unknown; isOurs: boolean }[] = [{ value: result, isOurs: true }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isOurs } = next
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (const item of value) open.push({ value: item, isOurs })
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        if (isOurs && vivaFields.has(key)) continue
        if (!isOurs) texts.push(key)
        open.push({ value: member, isOurs: isOurs && !dataFields.has(key) })
      }
    else if (typeof value === 'number' && !isOurs) texts.push(String(value))
  }
  return texts
}

/** The words of a query, in lower case, which must all occur. */
export function searchedWords(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

export function hasWords(texts: readonly string[], words: readonly string[]): boolean {
  const lower = texts.map((text) => text.toLowerCase())
  return words.every((word) => lower.some((text) => text.includes(word)))
}
