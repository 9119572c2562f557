/** `scheme://name:password@`, up to the last `@` before path and query, or only a name that may be a token. */
const pattern =
  /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?:([^\s/?#@:"'<>\\]*):([^\s/?#"'<>\\]+)|[^\s/?#@:"'<>\\]{8,})@/gi

/** Credentials in any URL are secrets, even if nobody listed them. */
export function redactUrls(text: string, mask: string): string {
  return mayHoldCredentials(text) ? text.replace(pattern, `$1${mask}@`) : text
}

/** Whether it is worth looking for them. */
export function mayHoldCredentials(text: string): boolean {
  return text.includes('://') && text.includes('@')
}

/** The user and password of a text that is a URL with both. */
export function urlCredentials(text: string): { user: string; password: string } | undefined {
  const [found] = text.matchAll(pattern)
  if (found === undefined || found.index > 0) return undefined
  const [, , user, password] = found
  return user === undefined || password === undefined ? undefined : { user, password }
}
