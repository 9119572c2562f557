import { readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { escapeRegex } from '../../text/escape-regex.ts'

/**
 * Expands a pattern like `src/**\/*_test.ts` for shells that do not; undefined if the input is not a
 * pattern. `**` matches any folders, `*` and `?` match characters of a name, `{a,b}` matches one of several.
 */
export function expandGlob(input: string, cwd: string): string[] | undefined {
  if (!isPattern(input)) return undefined
  const parts = input.replace(/^\.\//, '').split('/')
  const plain = parts
    .slice(
      0,
      parts.findIndex((part) => /[*?{]/.test(part)),
    )
    .join('/')
  const pattern = new RegExp(`^${toRegex(parts)}$`)
  const base = resolve(cwd, plain === '' && input.startsWith('/') ? '/' : plain)
  const found = filesBelow(base)
    .map((path) => (input.startsWith('/') ? path : relative(cwd, path)).split(sep).join('/'))
    .filter((path) => pattern.test(path))
    .sort()
  if (found.length > 0) return found
  throw new ConfigError({ code: 'no_such_file', message: `no file matches ${input}` })
}

function isPattern(input: string): boolean {
  if (/\s|:\/\/|^(?:agents|scripts):/.test(input)) return false
  return /[*?{]/.test(input) && /[\\/]|\.\w+$/.test(input)
}

function toRegex(parts: readonly string[]): string {
  return parts
    .map((part, index) => {
      const last = index === parts.length - 1
      if (part === '**') return last ? '.*' : '(?:[^/]+/)*'
      const name = part.replace(/\{([^{}]*)\}|[*?]|[^*?{]+|\{/g, (piece, choices?: string) => {
        if (choices !== undefined) return `(?:${choices.split(',').map(escapeRegex).join('|')})`
        if (piece === '*') return '[^/]*'
        return piece === '?' ? '[^/]' : escapeRegex(piece)
      })
      return last ? name : `${name}/`
    })
    .join('')
}

/** Skips node_modules and hidden files. */
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
  } catch {
    return []
  }
}
