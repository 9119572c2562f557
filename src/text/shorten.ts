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

/** A message of ours in which something that others wrote, of whatever size, is quoted: that is cut, our words stay. */
export function shortenQuoted(message: string): string {
  const cut = message
    .replace(/"([^"]*)"/g, (quoted, inner: string) =>
      inner.length > 120 ? `"${shorten(inner, 80)}"` : quoted,
    )
    .replace(/\S{301,}/g, (run) => shorten(run, 80))
  return shorten(cut, 2_000)
}
