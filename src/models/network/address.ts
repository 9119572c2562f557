/** The URL as messages may show it: credentials and query can hold secrets. */
export function urlToShow(url: URL): string {
  return `${url.origin}${url.pathname}`
}

/** An agent that is named by an address, or by what should have been one. Other texts stay as they are. */
export function agentToShow(name: string): string {
  return name.replace(
    /^((?:a2a:|openai:)?https?:\/*)([^/?#]*@)?([^?#]*)(\?[^#]*)?/,
    (_, scheme: string, credentials: string | undefined, place: string, query: string | undefined) =>
      `${scheme}${credentials === undefined ? '' : '…@'}${place}${query === undefined ? '' : '?…'}`,
  )
}

/** What an address may hold that no report shall show: name and password, and all that its query says. */
export function secretsIn({ username, password, search }: URL): string[] {
  const said = search
    .slice(1)
    .split('&')
    .map((part) => part.slice(part.indexOf('=') + 1))
  const decoded = [...said.map((value) => value.replaceAll('+', ' ')), username, password].map(decode)
  const both = username === '' ? '' : `${decode(username)}:${decode(password)}`
  return [...new Set([...said, ...decoded, both])].filter((secret) => secret !== '')
}

/** The header for a name and password in the URL: they are not sent by themselves. */
export function credentialsIn({ username, password }: URL): { authorization?: string } {
  if (username === '') return {}
  const credentials = `${decode(username)}:${decode(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** For `fetch`, which refuses an address with credentials and repeats all of it. */
export function withoutCredentials(address: URL): URL {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url
}

/** A lone percent sign stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
