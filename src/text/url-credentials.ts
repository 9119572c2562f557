/** `scheme://name:password@`, up to the last `@` before path and query; or a name alone that is long enough for a token. */
const pattern =
  /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?:([^\s/?#@:"'<>\\]*):([^\s/?#"'<>\\]+)|[^\s/?#@:"'<>\\]{8,})@/gi

/** Whoever wrote the URL: credentials in one are secrets though nobody listed them. */
export function redactUrls(text: string, mask: string): string {
  return text.includes('://') ? text.replace(pattern, `$1${mask}@`) : text
}

/** Name and password of a text that is a URL with both. */
export function urlCredentials(text: string): { user: string; password: string } | undefined {
  const [found] = text.matchAll(pattern)
  if (found === undefined || found.index > 0) return undefined
  const [, , user, password] = found
  return user === undefined || password === undefined ? undefined : { user, password }
}
