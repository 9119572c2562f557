/** What stands for masked data. */
export const maskedText = '[masked]'

/** Whether a text is another one in which parts may have been masked. */
export function fitsMasked(text: string, masked: string): boolean {
  const [start = '', ...parts] = masked.split(maskedText)
  const end = parts.pop()
  if (end === undefined) return text === masked
  if (!text.startsWith(start)) return false
  let at = start.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - end.length >= at && text.endsWith(end)
}
