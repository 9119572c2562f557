/** `scheme://name:password@`, up to the last `@` before path and query, or only a name that may be a token. */
const pattern =
  /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?:([^\s/?#@:"'<>\\]*):([^\s/?#"'<>\\]+)|[^\s/?#@:"'<>\\]{8,})@/gi

/** Credentials in any URL are secrets, even if nobody listed them. */
export function redactUrls(text: string, mask: string): string {
  return text.includes('://') ? text.replace(pattern, `$1${mask}@`) : text
}

/** The user and password of a text that is a URL with both. */
export function urlCredentials(text: string): { user: string; password: string } | undefined {
  const [found] = text.matchAll(pattern)
  if (found === undefined || found.index > 0) return undefined
  const [, , user, password] = found
  return user === undefined || password === undefined ? undefined : { user, password }
}
