import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What decides how programs are found and started is not for a file that comes with a project. */
const notFromFile = /^(?:PATH|NODE_OPTIONS|LD_.*|DYLD_.*)$/i

/**
 * The `.env` of a project or an app, for what the environment does not say: whoever starts viva has the last word, which in
 * the Yao engine the file has. Gives all that stands in it.
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

/** As the engine reads it: a `#` begins a comment after a blank only; `${NAME}` is filled in, but not in `'…'`. */
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
