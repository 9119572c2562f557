import { escapeRegex } from '../text/escape-regex.ts'

/**
 * Fields of these names in texts that are no JSON, or only half of it: `"email": "…`, `email: '…'`, `email=…`.
 * `hide` is told what stands there and whether it was quoted, and gives what shall stand there.
 */
export function fieldsInText(names: readonly string[]) {
  const name = `(?<![\\w-])(?<name>${names.map(escapeRegex).join('|')})(?![\\w-])`
  const between = '(?:\\\\*["\'])?[*_`]*[ \\t]*(?::|=>?)[*_`]*[ \\t]*'
  const quoted = '(?<quote>\\\\*["\'])(?<quoted>(?:(?!\\k<quote>)(?:\\\\.|[^\\n]))*)'
  const plain = '(?<plain>[^\\s"\'\\\\,;&<>{}()[\\]]+)'
  const field = new RegExp(`(?<before>${name}${between})(?:${quoted}|${plain})`, 'gi')
  return (text: string, hide: (found: FieldInText) => string): string =>
    text.replaceAll(field, (...found) => {
      const { before = '', name = '', quote = '', quoted, plain = '' } = groupsOf(found)
      const value = quoted ?? plain
      return `${before}${quote}${hide({ name: name.toLowerCase(), value, isQuoted: quoted !== undefined })}`
    })
}

export interface FieldInText {
  name: string
  value: string
  isQuoted: boolean
}

/** The last of what a replacer is told. */
function groupsOf(found: readonly unknown[]): Partial<Record<string, string>> {
  return found.at(-1) as Partial<Record<string, string>>
}
