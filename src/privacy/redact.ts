import type { Key } from '../results/key.ts'
import { escapeRegex } from '../text/escape-regex.ts'
import { redactUrls } from '../text/url-credentials.ts'

/** Replaces every configured secret in what it is given. Same shape out, a copy only where something changed. */
export type Redact = <T>(value: T) => T

/** A shorter one is more likely a placeholder, and would blank out ordinary words. */
export const shortestSecret = 8

const mask = '[redacted]'

export function createRedact(secrets: Iterable<string>): Redact {
  const needles = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    for (const form of formsOf(secret)) needles.add(form)
  }
  if (needles.size === 0) return <T>(value: T) => redactValue(value, (text) => redactUrls(text, mask)) as T
  // Longest first, so that a secret that contains another one is replaced whole.
  const longestFirst = [...needles].sort((a, b) => b.length - a.length)
  // Nearly all texts hold none. Of the whole secrets there is no pattern: some are too long for one.
  const traces = longestFirst.flatMap((needle) => [
    needle.slice(0, shortestSecret),
    needle.slice(-shortestSecret),
  ])
  const trace = new RegExp([...new Set(traces)].map(escapeRegex).join('|'))
  const redactText = (text: string) =>
    redactUrls(
      trace.test(text)
        ? redactCut(
            longestFirst.reduce((rest, needle) => rest.replaceAll(needle, mask), text),
            longestFirst,
          )
        : text,
      mask,
    )
  return <T>(value: T) => redactValue(value, redactText) as T
}

/** Of texts that were cut, as much of a secret as is left of it before or after the ellipsis. */
function redactCut(text: string, needles: readonly string[]): string {
  const pieces = text.split('…')
  return pieces
    .map((piece, index) => (index > 0 ? withoutEndOfSecret(piece, needles) : piece))
    .map((piece, index) => (index < pieces.length - 1 ? withoutStartOfSecret(piece, needles) : piece))
    .join('…')
}

function withoutStartOfSecret(text: string, needles: readonly string[]): string {
  for (const needle of needles) {
    if (!text.slice(-needle.length).includes(needle.slice(0, shortestSecret))) continue
    for (let length = needle.length - 1; length >= shortestSecret; length--)
      if (text.endsWith(needle.slice(0, length))) return `${text.slice(0, -length)}${mask}`
  }
  return text
}

function withoutEndOfSecret(text: string, needles: readonly string[]): string {
  for (const needle of needles) {
    if (!text.slice(0, needle.length).includes(needle.slice(-shortestSecret))) continue
    for (let length = needle.length - 1; length >= shortestSecret; length--)
      if (text.startsWith(needle.slice(-length))) return `${mask}${text.slice(length)}`
  }
  return text
}

/** A key as the journal has it. */
export function redactKey(key: Key, redact: Redact): Key {
  return { ...key, file: redact(key.file), id: redact(key.id), variant: redact(key.variant) }
}

/** The ways a secret shows up in a header, a URL or a JSON string inside a string. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    ...percentForms(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ]
}

/** Languages do not agree on what must be encoded, nor on the case of the digits. */
function percentForms(secret: string): string[] {
  const script = encodeURIComponent(secret)
  const strict = script.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const forms = [script, strict].flatMap((form) => [
    form,
    form.replaceAll('%2F', '/'),
    form.replaceAll('%20', '+'),
  ])
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())])
}

function redactValue(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, redactText))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const redacted = entries.map(([key, item]) => [redactText(key), redactValue(item, redactText)] as const)
  const changed = redacted.some(
    ([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1],
  )
  return changed ? Object.fromEntries(redacted) : value
}

/** For secrets that become known as things go on: what is hidden is looked up when something is told. */
export function growingRedact(secrets: () => readonly string[]): () => Redact {
  let known = -1
  let redact: Redact
  return () => {
    const now = secrets()
    if (now.length !== known) {
      known = now.length
      redact = createRedact(now)
    }
    return redact
  }
}
