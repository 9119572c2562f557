/** Variables that hold secrets by their name; their values may come up in whatever an agent says. */
const secretNames = /(?:(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|CREDENTIALS?)|PASSWORD|PASSWD|APIKEY)$/i

export function looksSecret(name: string): boolean {
  return secretNames.test(name)
}

/** Variables of the environment that scripts do not see: those that look like secrets and are not listed. */
export function withheldNames(listed: readonly string[]): string[] {
  return Object.keys(process.env).filter((name) => looksSecret(name) && !listed.includes(name))
}

/** Known before any config is read. */
export function namedSecrets(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) => (looksSecret(name) && value) || [])
}
