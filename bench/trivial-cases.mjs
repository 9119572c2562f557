/** Single-turn cases with one check. */
export function trivialCases(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `T${index}`,
    input: `Say hello to number ${index}.`,
    assert: { type: 'contains', value: 'Hello' },
  }))
}
