/** Cuts a text to `limit` characters. The ellipsis also marks where a secret may have been cut, see `privacy/secrets.ts`. */
export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${cutText(text, limit)}…` : text
}

/** Keeps the end of a text, where the end says more than the start. */
export function shortenStart(text: string, limit: number): string {
  return text.length > limit ? `…${text.slice(-limit).replace(/^[\udc00-\udfff]/, '')}` : text
}

/** Never cuts through a surrogate pair. */
export function cutText(text: string, limit: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
  return text.slice(0, end)
}

/** Shortens what a message quotes from outside, which may have any size. The words of the message itself stay. */
export function shortenQuoted(message: string): string {
  const cut = message
    .replace(/"([^"]*)"/g, (quoted, inner: string) =>
      inner.length > 120 ? `"${shorten(inner, 80)}"` : quoted,
    )
    .replace(/\S{301,}/g, (run) => shorten(run, 80))
  return shorten(cut, 2_000)
}
