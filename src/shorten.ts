/** A text that is not longer than that; what was cut off is an ellipsis. */
export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${cut(text, limit)}…` : text
}

/** Never through the middle of a surrogate pair: half a pair is not text. */
export function cut(text: string, limit: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
  return text.slice(0, end)
}
