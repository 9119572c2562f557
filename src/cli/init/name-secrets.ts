import { looksSecret } from '../../privacy/secret-variables.ts'
import { expandEnv } from '../../project/app/env.ts'
import type { Environment } from '../../system/environment.ts'

/** Moves the secrets of one server out of its texts, into variables. */
export interface SecretNaming {
  /** The id of the server. */
  server: string
  env: Environment
  /** Names that the file refers to, and expects of the environment. */
  referred: ReadonlySet<string>
  /** Gets the values. */
  values: Record<string, string>
}

/** A text of the file, and what it is called there. */
export interface NamedText {
  text: string
  name: string
  /** Whether the name is that of an environment variable already. Others are prefixed by the server. */
  isVariable?: boolean
  /** Whether it is a secret, whatever it looks like. */
  isSecret?: boolean
}

const reference = /\$ENV\.[A-Za-z_]\w*/g
const secretWord =
  /key|token|secret|passw|passphrase|pwd|credential|auth(?!or)|cookie|session|signature|(?:^|[_-])(?:sig|pass|dsn|pat)$|connection_?string/i
/** `password=…`, `"apiKey": "…"`, `Authorization: …`, anywhere in a text. */
const assignment = /([\w-]+)["']?\s*[:=]\s*["']?(?=[^\s"'/])/g
const harmlessValue = /^(?:true|false|yes|no|on|off|\d{1,6})$/i
const knownToken =
  /^(?:sk|pk|rk|gsk|xai|pplx)[-_]\w|^(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|hf_|npm_|AKIA|AIza|eyJ|ya29\.|SG\.)/

/** The text with `$ENV.NAME` in place of what looks like a secret. In doubt, all of it is one. */
export function nameSecrets(named: NamedText, naming: SecretNaming): string {
  const { text, name, isVariable = false, isSecret = false } = named
  const label = isVariable ? name : `${naming.server}_${name}`
  const literal = text.replace(reference, '')
  const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text)
  // Of an address, only the secret parts are moved, unless its name says that it is one as a whole.
  const isNamed = isSecret || isSecretName(name, isUrl ? '' : literal)
  if (isNamed && literal.replace(/^(?:bearer|basic)\s*$/i, '') !== '') return moveOut(text, label, naming)
  if (isUrl) return nameUrlSecrets(text, label, naming)
  return hasSecret(literal) ? moveOut(text, label, naming) : text
}

/** Whether something with this name is a secret, unless its value is plainly none. */
export function isSecretName(name: string, value: string): boolean {
  return looksSecret(name, value) || (secretWord.test(name) && !harmlessValue.test(value))
}

function hasSecret(literal: string): boolean {
  if (/:\/\/\S*[^\s/:]@/.test(literal) || /\b(?:bearer|basic)\s+\S/i.test(literal)) return true
  const assigned = [...literal.matchAll(assignment)].some(({ 0: { length }, 1: name = '', index }) =>
    isSecretName(name, /^[^\s"',;&]*/.exec(literal.slice(index + length))?.[0] ?? ''),
  )
  // The parts of a path and of a package's name are words, which may be long.
  const separators = /^(?:[./~@]|[A-Za-z]:\\)/.test(literal) ? /[\s"'=,;&?]+/ : /[\s"'=:,;&?/]+/
  return assigned || literal.split(separators).some(looksLikeToken)
}

/** A well-known beginning, or a long mixture of letters and digits. */
function looksLikeToken(word: string): boolean {
  if (knownToken.test(word)) return true
  const digits = word.replace(/\D/g, '').length
  return /^[\w+/=-]{24,}$/.test(word) && !word.startsWith('/') && digits >= 3 && /[A-Za-z]/.test(word)
}

/** The address stays readable: credentials, values of the query and long parts of the path are named. */
function nameUrlSecrets(text: string, label: string, naming: SecretNaming): string {
  const [, scheme = '', user = '', host = '', path = '', query = '', fragment = ''] =
    /^(https?:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text) ?? []
  const move = (part: string, name: string) =>
    part.replace(reference, '') === '' ? part : moveOut(part, name, naming)
  const namePart = (part: string) =>
    looksLikeToken(decode(part.replace(reference, ''))) ? move(part, `${label}_PATH`) : part
  const namePair = (pair: string) => {
    const [name = '', ...rest] = pair.split('=')
    const value = rest.join('=')
    const literal = decode(value.replace(reference, ''))
    const isSecret = literal !== '' && (isSecretName(decode(name), literal) || hasSecret(literal))
    if (isSecret) return `${name}=${move(value, `${naming.server}_${decode(name)}`)}`
    return rest.length === 0 && hasSecret(decode(name)) ? move(pair, `${label}_QUERY`) : pair
  }
  return [
    scheme,
    user.replace(reference, '').replace(':', '') === ''
      ? `${user}${user === '' ? '' : '@'}`
      : `${move(user, `${naming.server}_credentials`)}@`,
    host,
    path.split('/').map(namePart).join('/'),
    query === '' ? '' : `?${query.slice(1).split('&').map(namePair).join('&')}`,
    hasSecret(decode(fragment.slice(1))) ? `#${move(fragment.slice(1), `${label}_FRAGMENT`)}` : fragment,
  ].join('')
}

/** The value goes to a variable that nothing else uses with another value. */
function moveOut(text: string, label: string, naming: SecretNaming): string {
  const { env, values, referred, server } = naming
  const value = expandEnv(text, `MCP server ${server}`, env)
  const name = variableName(label)
  const prefix = `${variableName(server)}_`
  const prefixed = name.startsWith(prefix) ? name : `${prefix}${name}`
  const isFree = (candidate: string) =>
    [env[candidate], values[candidate]].every((known) => known === undefined || known === value) &&
    !(referred.has(candidate) && env[candidate] === undefined)
  let free = [name, prefixed].find(isFree)
  for (let number = 2; free === undefined; number++)
    if (isFree(`${prefixed}_${number}`)) free = `${prefixed}_${number}`
  values[free] = value
  return `$ENV.${free}`
}

function variableName(text: string): string {
  const name = text.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').replace(/[^A-Za-z0-9]+/g, '_')
  return name.replace(/^(?=\d)/, '_').toUpperCase()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
