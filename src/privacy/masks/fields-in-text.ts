import { escapeRegex } from '../../text/escape-regex.ts'

/**
 * Replaces the values of fields in texts that are not JSON, or incomplete JSON: `"email": "…`, `email: '…'`, `email=…`.
 * `replace` gets the value and whether it was quoted, and returns the new value.
 */
export function replaceFieldsInText(names: readonly string[]) {
  const name = `(?<![\\w-])(?<name>${names.map(escapeRegex).join('|')})(?![\\w-])`
  const between = '(?:\\\\*["\'])?[*_`]*[ \\t]*(?::|=>?)[*_`]*[ \\t]*'
  const quoted = '(?<quote>\\\\*["\'])(?<quoted>(?:(?!\\k<quote>)(?:\\\\.|[^\\n]))*)'
  const plain = '(?<plain>[^\\s"\'\\\\,;&<>{}()[\\]]+)'
  const field = new RegExp(`(?<before>${name}${between})(?:${quoted}|${plain})`, 'gi')
  return (text: string, replace: (found: FieldInText) => string): string =>
    text.replaceAll(field, (...match) => {
      const { before = '', name = '', quote = '', quoted, plain = '' } = namedGroups(match)
      const value = quoted ?? plain
      return `${before}${quote}${replace({ name: name.toLowerCase(), value, isQuoted: quoted !== undefined })}`
    })
}

export interface FieldInText {
  name: string
  value: string
  isQuoted: boolean
}

/** The last argument that `replaceAll` passes to a replacer. */
function namedGroups(match: readonly unknown[]): Partial<Record<string, string>> {
  return match.at(-1) as Partial<Record<string, string>>
}
