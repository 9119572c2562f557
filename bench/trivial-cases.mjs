/** Single-turn cases with one check, as a case file. */
export function trivialCases(count) {
  return Array.from({ length: count }, (_, index) => {
    const assert = { type: 'contains', value: 'Hello' }
    return `${JSON.stringify({ id: `T${index}`, input: `Say hello to number ${index}.`, assert })}\n`
  }).join('')
}
