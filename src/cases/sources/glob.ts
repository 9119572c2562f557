import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { requirePackage } from '../../require-package.ts'

/** Only a run that was given a pattern loads the library. */
const special = /[*?{[]/
const mostNumbers = 1000

/**
 * The files that a pattern like `src/**\/*_test.ts` names, for shells that leave it as it is; undefined for what is no
 * pattern. Files in hidden folders and in `node_modules` are found only where the pattern begins with that folder.
 */
export function expandGlob(input: string, cwd: string): string[] | undefined {
  if (!isPattern(input) || existsSync(resolve(cwd, input))) return undefined
  const path = input.replace(/^\.\//, '')
  const start = path.lastIndexOf('/', path.search(special)) + 1
  const [folder, pattern] = [path.slice(0, start), path.slice(start)]
  const depth = pattern.includes('**') ? Number.POSITIVE_INFINITY : pattern.split('/').length
  const found = listVisibleFiles(resolve(cwd, folder), depth).filter(createMatcher(pattern))
  if (found.length > 0) return found.map((file) => folder + file).sort()
  throw new ConfigError({ code: 'no_such_file', message: `no file matches ${input}` })
}

function isPattern(input: string): boolean {
  if (/\s|:\/\/|^(?:agents|scripts):/.test(input)) return false
  return special.test(input) && /[\\/]|\.\w+$/.test(input)
}

function createMatcher(pattern: string): (path: string) => boolean {
  const picomatch = requirePackage('picomatch') as typeof import('picomatch')
  // Folders of web frameworks are called `(group)`, which the library would take for a group of a regex.
  const withPlainParentheses = pattern.replace(/[()]/g, '\\$&')
  const matches = picomatch(withPlainParentheses, {
    posix: true,
    nonegate: true,
    noextglob: true,
    expandRange,
  })
  return (path) => matches(path)
}

/** The library by itself reads `{1..10}` as the characters `[1-10]`. As in a shell, `{08..10}` is 08, 09, 10. */
function expandRange(from: string, to: string): string {
  if (/^[a-z]{2}$/i.test(from + to)) return `[${[from, to].sort().join('-')}]`
  if (!/^\d+$/.test(from + to)) return `\\{${from}\\.\\.${to}\\}`
  const [first = 0, last = 0] = [Number(from), Number(to)].sort((a, b) => a - b)
  if (last - first >= mostNumbers) {
    const message = `{${from}..${to}} is more than ${mostNumbers} numbers: use * instead`
    throw new ConfigError({ code: 'bad_input', message })
  }
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const width = /^0./.test(from) || /^0./.test(to) ? Math.max(from.length, to.length) : 0
  return `(?:${numbers.map((number) => String(number).padStart(width, '0')).join('|')})`
}

/** Paths from the folder, so many levels deep, without what is installed or hidden. */
function listVisibleFiles(folder: string, depth: number): string[] {
  if (depth === 0) return []
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
      if (!entry.isDirectory()) return [entry.name]
      return listVisibleFiles(join(folder, entry.name), depth - 1).map((path) => `${entry.name}/${path}`)
    })
  } catch {
    return []
  }
}
