import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../system/environment.ts'

/** A file that comes with a project must not decide how programs are found and started. */
const protectedNames = /^(?:PATH|NODE_OPTIONS|LD_.*|DYLD_.*)$/i

/** What the `.env` of a folder sets; nothing where there is no such file. */
export function readEnvFile(folder: string, env: Environment): Record<string, string> {
  const path = join(folder, '.env')
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  return parseEnvFile(readFileSync(path, 'utf8'), env)
}

/**
 * The environment with what `.env` files add to it. Whoever starts viva has the last word; in the Yao engine the file
 * has it.
 */
export function withEnvFile(env: Environment, file: Record<string, string>): Environment {
  const added = Object.entries(file).filter(([name]) => !protectedNames.test(name) && env[name] === undefined)
  return { ...env, ...Object.fromEntries(added) }
}

const entryPattern =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*[=:][ \t]*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\r\n]*))/gms

/** As the engine reads it: a `#` begins a comment after a blank only; `${NAME}` is filled in, but not in `'…'`. */
export function parseEnvFile(text: string, env: Environment = {}): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [, name = '', double, single, plain = ''] of text.matchAll(entryPattern)) {
    const value = single ?? (double === undefined ? withoutComment(plain) : unescapeText(double))
    values[name] = single === undefined ? expandVariables(value, values, env) : value
  }
  return values
}

function withoutComment(text: string): string {
  return text.replace(/(?:^|[ \t]+)#.*$/, '').trim()
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

function unescapeText(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}

function expandVariables(text: string, values: Record<string, string>, env: Environment): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => env[name] ?? values[name] ?? '')
}
