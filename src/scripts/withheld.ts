/** Variables that hold secrets by their name; their values may come up in whatever an agent says. */
const secretNames =
  /(?:(?:^|_)(?:API_?KEY|KEY|KEY_?ID|TOKEN|SECRET|CREDENTIALS?|PASS|DSN)|_PWD|PASSWORD|PASSWD|PASSPHRASE|APIKEY|CONNECTION_?STRING)$/i

/** `postgres://name:password@host/…`, as in `DATABASE_URL`. */
const urlWithCredentials = /^[a-z][a-z\d+.-]*:\/\/([^\s/?#@:]*)(?::([^\s/?#]*))?@/i

/** A variable that holds a secret, by its name or because its value is a URL with credentials. */
export function looksSecret(name: string, value: string): boolean {
  return secretNames.test(name) || urlWithCredentials.test(value)
}

/** What no report may show of these variables. */
export function secretsIn(variables: Record<string, string | undefined>): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value && looksSecret(name, value) ? [value, ...passwordsIn(value)] : [],
  )
}

/** A connection may be told about by its password alone. */
function passwordsIn(value: string): string[] {
  const [, user, password] = urlWithCredentials.exec(value) ?? []
  if (!password) return []
  return [password, decode(password), `${user}:${password}`]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Variables of the environment that scripts do not see: those that look like secrets and are not listed. */
export function withheldNames(listed: readonly string[]): string[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    looksSecret(name, value ?? '') && !listed.includes(name) ? [name] : [],
  )
}

/** Known before any config is read. */
export function namedSecrets(): string[] {
  return secretsIn(process.env)
}
