import type { Environment } from '../system/environment.ts'
import { urlCredentials } from '../text/url-credentials.ts'

/** Variables that hold secrets by their name; their values may come up in whatever an agent says. */
const secretNames =
  /(?:(?:^|_)(?:API_?KEY|KEY|KEY_?ID|TOKEN|SECRET|CREDENTIALS?|PASS|DSN)|_PWD|PASSWORD|PASSWD|PASSPHRASE|APIKEY|CONNECTION_?STRING)$/i

/** A proxy is for scripts too, whatever it takes to get through it. */
const proxies = /_PROXY$/i

/** A shorter password is often an ordinary word (`postgres`), and would blank it out everywhere. */
const shortestPassword = 12

/** A variable that holds a secret, by its name or because its value is a URL with a password. */
export function looksSecret(name: string, value: string): boolean {
  return secretNames.test(name) || urlCredentials(value) !== undefined
}

/** What no report may show of these variables. */
export function secretValues(variables: Environment): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value && looksSecret(name, value) ? [value, ...credentialsOf(value)] : [],
  )
}

/** A connection may be written about with its name and password alone, or with the password. */
function credentialsOf(value: string): string[] {
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
export function withheldNames(env: Environment, listed: readonly string[]): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    looksSecret(name, value ?? '') && !proxies.test(name) && !listed.includes(name) ? [name] : [],
  )
}
