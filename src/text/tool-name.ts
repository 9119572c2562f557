/** Names match exactly or after the name of a server: `create_expense` is also `expenses__create_expense`. */
export function isToolName(actual: string, expected: string): boolean {
  if (actual === expected) return true
  return ['__', '.'].some((separator) => {
    const suffix = `${separator}${expected}`
    return actual.endsWith(suffix) && actual.length > suffix.length
  })
}
