/** The URL as messages may show it: credentials and query can contain secrets. */
export function redactUrl(url: URL): string {
  return `${url.origin}${url.pathname}`
}

/** Hides the secrets in an agent's name that is an address, or looks like one. Other texts stay as they are. */
export function redactAgentName(name: string): string {
  return name.replace(
    /^((?:a2a:|openai(?:-responses)?:)?https?:\/*)([^/?#]*@)?([^?#]*)(\?[^#]*)?/,
    (_, scheme: string, credentials: string | undefined, place: string, query: string | undefined) =>
      `${scheme}${credentials === undefined ? '' : '…@'}${place}${query === undefined ? '' : '?…'}`,
  )
}

/** The secrets of an address that no report may show: name, password, and all values of its query. */
export function findSecrets({ username, password, search }: URL): string[] {
  const values = search
    .slice(1)
    .split('&')
    .map((part) => part.slice(part.indexOf('=') + 1))
  const decoded = [...values.map((value) => value.replaceAll('+', ' ')), username, password].map(decode)
  const both = username === '' ? '' : `${decode(username)}:${decode(password)}`
  return [...new Set([...values, ...decoded, both])].filter((secret) => secret !== '')
}

/** Builds the header for a name and password in the URL, which are not sent automatically. */
export function buildBasicAuth({ username, password }: URL): { authorization?: string } {
  if (username === '') return {}
  const credentials = `${decode(username)}:${decode(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** For `fetch`, which refuses an address with credentials and prints all of it. */
export function withoutCredentials(address: URL): URL {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url
}

/** Leaves a text with a stray percent sign as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
