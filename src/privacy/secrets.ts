import { escapeRegex } from '../text/escape-regex.ts'
import { mayHoldCredentials, redactUrls } from '../text/url-credentials.ts'
import { valueForms } from './masks/value-forms.ts'
import { type Redactor, redactTexts, someText } from './redact.ts'

/** A shorter value is probably a placeholder, and redacting it would blank out ordinary words. */
export const shortestSecret = 8

const replacement = '[redacted]'

/** Redacts these values wherever they occur, also encoded or cut off, and the credentials in any URL. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const needles = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    for (const form of encodeSecret(secret)) needles.add(form)
  }
  if (needles.size === 0) return redactWhere(mayHoldCredentials, (text) => redactUrls(text, replacement))
  // Longest first, so that a secret that contains another one is replaced as a whole.
  const longestFirst = [...needles].sort((a, b) => b.length - a.length)
  // Nearly all texts have no secret, and this finds out quickly. Whole secrets may be too long for a pattern.
  const traces = longestFirst.flatMap((needle) => [
    needle.slice(0, shortestSecret),
    needle.slice(-shortestSecret),
  ])
  const trace = new RegExp([...new Set(traces)].map(escapeRegex).join('|'))
  const isSuspect = (text: string) =>
    text.length >= shortestSecret && (trace.test(text) || mayHoldCredentials(text))
  return redactWhere(isSuspect, (text) => {
    const known = longestFirst.reduce((rest, needle) => rest.replaceAll(needle, replacement), text)
    return redactUrls(redactCutSecrets(known, longestFirst), replacement)
  })
}

/** Nearly all values have nothing to redact: they are searched first, which creates no objects. */
function redactWhere(isSuspect: (text: string) => boolean, redactText: (text: string) => string): Redactor {
  const redact = (text: string) => (isSuspect(text) ? redactText(text) : text)
  const isSuspectName = rememberHarmless(isSuspect)
  return <T>(value: T) =>
    someText(value, isSuspect, isSuspectName) ? (redactTexts(value, redact) as T) : value
}

/** The fields of all results have the same names. */
function rememberHarmless(isSuspect: (name: string) => boolean): (name: string) => boolean {
  const harmless = new Set<string>()
  return (name) => {
    if (harmless.has(name)) return false
    if (isSuspect(name)) return true
    // Data of an agent may have any number of names.
    if (harmless.size < 1000) harmless.add(name)
    return false
  }
}

/** Where secrets become known as a run goes on. */
export interface SecretSource {
  secrets(): readonly string[]
}

/** For secrets that become known during a run: the list is read again for every value. */
export function createGrowingRedactor(source: SecretSource): () => Redactor {
  let known = -1
  let redact: Redactor
  return () => {
    const now = source.secrets()
    if (now.length !== known) {
      known = now.length
      redact = createRedactor(now)
    }
    return redact
  }
}

/** Redacts what is left of a secret before or after an ellipsis, where a text was shortened. */
function redactCutSecrets(text: string, needles: readonly string[]): string {
  const pieces = text.split('…')
  return pieces
    .map((piece, index) => (index > 0 ? redactEndOfSecret(piece, needles) : piece))
    .map((piece, index) => (index < pieces.length - 1 ? redactStartOfSecret(piece, needles) : piece))
    .join('…')
}

function redactStartOfSecret(text: string, needles: readonly string[]): string {
  for (const needle of needles) {
    if (!text.slice(-needle.length).includes(needle.slice(0, shortestSecret))) continue
    for (let length = needle.length - 1; length >= shortestSecret; length--)
      if (text.endsWith(needle.slice(0, length))) return `${text.slice(0, -length)}${replacement}`
  }
  return text
}

function redactEndOfSecret(text: string, needles: readonly string[]): string {
  for (const needle of needles) {
    if (!text.slice(0, needle.length).includes(needle.slice(-shortestSecret))) continue
    for (let length = needle.length - 1; length >= shortestSecret; length--)
      if (text.startsWith(needle.slice(-length))) return `${replacement}${text.slice(length)}`
  }
  return text
}

/** Secrets are compared letter by letter: base64 may be padded, and hex digits are written in either case. */
function encodeSecret(secret: string): string[] {
  const forms = [...valueForms(secret), Buffer.from(secret).toString('base64')]
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())])
}
