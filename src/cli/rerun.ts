import type { CaseResult } from '../results/result.ts'
import { flagList, type GivenFlags, longName } from './flags.ts'

/** The command that plays only what failed, with everything else as it was. */
export function rerunCommand(given: GivenFlags, failed: readonly CaseResult[]): string {
  const words = flagList().flatMap(([name, flag]) => {
    const value = given[name]
    if (flag.once || value === undefined || value === false) return []
    const short = /^-\w/.exec(flag.spec)?.[0] ?? longName(flag)
    return [value].flat().flatMap((item) => (item === true ? [short] : [short, quote(String(item))]))
  })
  const ids = [...new Set(failed.map((result) => escapeRegex(result.key.id)))]
  return ['viva', 'test', ...words, '--run', quote(`^(${ids.join('|')})$`)].join(' ')
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** For a POSIX shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
