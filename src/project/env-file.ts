import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file that comes with a project must not decide how programs are found and started. */
const notFromFile = /^(?:PATH|NODE_OPTIONS|LD_.*|DYLD_.*)$/i

/**
 * Loads the `.env` of a project or an app without overriding the environment, and returns all its values. In the Yao
 * engine the file overrides the environment; in viva the user who starts it has the last word.
 */
export function loadEnvFile(folder: string): Record<string, string> {
  const path = join(folder, '.env')
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  const values = parseEnvFile(readFileSync(path, 'utf8'))
  for (const [name, value] of Object.entries(values)) if (!notFromFile.test(name)) process.env[name] ??= value
  return values
}

const entry =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*[=:][ \t]*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\r\n]*))/gms

/** Parses like the Yao engine: a `#` starts a comment only after a space; `${NAME}` is expanded, but not in `'…'`. */
export function parseEnvFile(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [, name = '', double, single, plain = ''] of text.matchAll(entry)) {
    const value = single ?? (double === undefined ? withoutComment(plain) : unescaped(double))
    values[name] = single === undefined ? filledIn(value, values) : value
  }
  return values
}

function withoutComment(text: string): string {
  return text.replace(/(?:^|[ \t]+)#.*$/, '').trim()
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}

function filledIn(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => process.env[name] ?? values[name] ?? '')
}
