import { existsSync, readdirSync } from 'node:fs'
import type { Paths } from './fs-paths.ts'

/**
 * `notes/*.txt`, in the words of Go's `filepath.Match`: `*`, `?`, `[a-z]`, and none of them goes through a slash.
 * Our own code, because glob libraries give `{a,b}` and `(a)` a meaning that Go does not, and follow links unchecked.
 */
export function globBelow(pattern: string, paths: Paths): string[] {
  // A pattern must be a valid path.
  paths.follow(pattern)
  const steps = pattern.split('/').filter((step) => step !== '' && step !== '.')
  const found = steps.reduce<string[]>(
    (folders, step) => folders.flatMap((each) => stepInto(each, step)),
    [''],
  )
  return found.filter((path) => path !== '' && isInside(path))

  function stepInto(folder: string, step: string): string[] {
    if (!/[*?[\\]/.test(step)) return isThere(`${folder}/${step}`) ? [`${folder}/${step}`] : []
    const matches = matcher(step)
    return namesIn(folder)
      .filter((name) => matches.test(name))
      .map((name) => `${folder}/${name}`)
  }

  function isThere(path: string): boolean {
    return isInside(path) && existsSync(paths.follow(path))
  }

  function namesIn(folder: string): string[] {
    if (!isInside(folder)) return []
    const real = paths.follow(folder)
    try {
      return readdirSync(real).sort()
    } catch {
      // A file or a missing folder contains nothing.
      return []
    }
  }

  /** Links that lead out of the folder are not found. */
  function isInside(path: string): boolean {
    try {
      paths.follow(path)
      return true
    } catch {
      return false
    }
  }
}

function matcher(step: string): RegExp {
  const source = step.replace(
    /\\(.)|\[(\^?)((?:\\.|[^\]\\])+)\]|([*?])|([^*?[\\]+|[[\\])/gs,
    (_, escaped?: string, not?: string, letters?: string, wild?: string, plain?: string) => {
      if (wild !== undefined) return wild === '*' ? '.*' : '.'
      if (letters !== undefined) return `[${not}${letters.replace(/[[\]^&~]/g, '\\$&')}]`
      return (escaped ?? plain ?? '').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    },
  )
  return new RegExp(`^${source}$`, 's')
}
