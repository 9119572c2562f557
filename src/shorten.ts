/** A text that is not longer than that. The ellipsis also says where a secret may have been cut, see `scope/redact.ts`. */
export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${cut(text, limit)}…` : text
}

/** The end of a text, where the end says more than the start. */
export function shortenStart(text: string, limit: number): string {
  return text.length > limit ? `…${text.slice(-limit).replace(/^[\udc00-\udfff]/, '')}` : text
}

/** Never through the middle of a surrogate pair: half a pair is not text. */
export function cut(text: string, limit: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
  return text.slice(0, end)
}
