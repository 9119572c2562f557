export function typeWords(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}
