import type { Environment } from '../system/environment.ts'
import { urlCredentials } from '../text/url-credentials.ts'

/** Names of variables that hold secrets. Their values may occur in anything an agent says. */
const secretNames =
  /(?:(?:^|_)(?:API_?KEY|KEY|KEY_?ID|TOKEN|SECRET|CREDENTIALS?|PASS|DSN)|_PWD|PASSWORD|PASSWD|PASSPHRASE|APIKEY|CONNECTION_?STRING)$/i

/** Scripts need the proxy as well, even when its URL has a password. */
const proxies = /_PROXY$/i

/** A shorter password is often an ordinary word (`postgres`), which would be redacted everywhere. */
const shortestPassword = 12

/** Whether a variable holds a secret: by its name, or because its value is a URL with a password. */
export function looksSecret(name: string, value: string): boolean {
  return secretNames.test(name) || urlCredentials(value) !== undefined
}

const secretFields = /^(?:key|authorization|proxy-authorization|authorization_token|cookie|set-cookie)$/i

/** Whether a header, or a field of a config, holds a secret. */
export function isSecretField(name: string, value: string): boolean {
  return secretFields.test(name) || looksSecret(name.replaceAll('-', '_'), value)
}

/** What no report may show of these variables. */
export function secretValues(variables: Environment): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value && looksSecret(name, value) ? [value, ...listCredentials(value)] : [],
  )
}

/** Logs may show only the user and password of a connection, or the password alone. */
function listCredentials(value: string): string[] {
  const { user = '', password = '' } = urlCredentials(value) ?? {}
  const passwords = [password, decode(password)].filter((text) => text.length >= shortestPassword)
  return [...passwords, ...(password === '' ? [] : [`${user}:${password}@`])]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Variables of the environment that scripts do not see: those that look like secrets and are not listed. */
export function unlistedSecretNames(env: Environment, listed: readonly string[]): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    looksSecret(name, value ?? '') && !proxies.test(name) && !listed.includes(name) ? [name] : [],
  )
}
